import SystemCalls

/// The models that come with the project, and where models are found.
package enum ReferenceModels {
    /// Those of our own and every descriptor, in a source tree.
    package static let sourceFolder = "Sources/ReferenceModels/Resources"
    /// Those that `make setup` installs, in a source tree.
    package static let runtimeFolder = ".runtime/models"

    /// The folders in which models are looked for, in this order.
    ///
    /// - Parameters:
    ///   - folder: named by the caller: the only one then.
    ///   - environment: what `CAPTURE_LEDGER_MODELS` says: the only one then.
    ///   - program: whose surroundings are searched otherwise: `models` and `../share/capture-ledger/models` beside it, then the
    ///     source tree that it was built in. Never a bundle: one does not move with its program.
    package static func folders(
        _ folder: String? = nil, environment: String? = EnvironmentVariable.value(of: "CAPTURE_LEDGER_MODELS"),
        program: String? = try? FileSystem.ownProgram()
    ) -> [String] {
        for named in [folder, environment] { if let named, !named.isEmpty { return [named] } }
        guard let program else { return [] }
        let beside = FileSystem.parent(of: program)
        let installed = [beside + "/models", FileSystem.parent(of: beside) + "/share/capture-ledger/models"]
        return FileSystem.sourceTrees(of: program).reduce(into: installed) { folders, tree in
            folders += [tree + "/" + sourceFolder, tree + "/" + runtimeFolder]
        }
    }

    /// The first file of that name in these folders that this user can read.
    package static func find(_ name: String, in folders: [String]) -> String? {
        folders.lazy.map { $0 + "/" + name }.first { (try? FileDescriptor(readingFile: $0)) != nil }
    }
}
