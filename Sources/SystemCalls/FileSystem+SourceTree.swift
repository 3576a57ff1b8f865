extension FileSystem {
    /// The source trees that the running program was built in, innermost first: the folders above a `.build` of its path that hold a
    /// `Package.swift`. None for an installed program. Only folders that whoever built the program could write are looked at, so that
    /// nobody plants a library in /tmp.
    package static func sourceTrees(of program: String) -> [String] {
        var trees: [String] = []
        var folder = parent(of: program)
        while folder != "/", folder != "." {
            let above = parent(of: folder)
            if folder.hasSuffix("/.build"), (try? FileStatus.of(above + "/Package.swift")) ?? nil != nil { trees.append(above) }
            folder = above
        }
        return trees
    }
}
