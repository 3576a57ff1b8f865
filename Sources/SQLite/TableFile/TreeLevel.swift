/// Pages of a tree that point to pages below them, one after the other from the left. It belongs to one thread.
final class TreeLevel {
    private let kind: TreePage.Kind
    private let pageSize: Int
    private let pages: PageRun
    private var page: TreePage
    private var parent: TreeLevel?
    /// What found no room: it ends the page as soon as something comes behind it, since no page may be without a cell.
    private var waiting: (child: Int, separator: [UInt8])?

    init(_ kind: TreePage.Kind, pageSize: Int, _ pages: PageRun) {
        self.kind = kind
        self.pageSize = pageSize
        self.pages = pages
        page = TreePage(kind, size: pageSize)
    }

    /// Adds a page of the level below.
    ///
    /// - Parameter separator: the cell that stands between that page and the next one, without its page.
    func add(_ child: Int, _ separator: [UInt8]) throws(SQLiteError) {
        if let waiting {
            try end(waiting.child, waiting.separator)
            self.waiting = nil
        }
        if page.hasRoom(for: 4 + separator.count) {
            page.put(child: child, separator)
        } else {
            waiting = (child, separator)
        }
    }

    /// Ends with the last page of the level below.
    ///
    /// - Parameter root: the page of the tree's root, which the topmost level becomes.
    func finish(_ last: Int, root: Int, _ file: TableFile) throws(SQLiteError) {
        if let waiting {
            // the cell before it ends the page in its stead
            let cell = page.takeLast()
            try end(cell.prefix(4).reduce(0) { $0 << 8 | Int($1) }, Array(cell.dropFirst(4)))
            page.put(child: waiting.child, waiting.separator)
        }
        guard let parent else {
            return try page.finish(right: last) { (bytes) throws(SQLiteError) in try file.write(bytes, atPage: root) }
        }
        let number = try page.finish(right: last) { (bytes) throws(SQLiteError) in try pages.add(bytes) }
        try parent.finish(number, root: root, file)
    }

    private func end(_ right: Int, _ separator: [UInt8]) throws(SQLiteError) {
        let number = try page.finish(right: right) { (bytes) throws(SQLiteError) in try pages.add(bytes) }
        let parent = parent ?? TreeLevel(kind, pageSize: pageSize, pages)
        self.parent = parent
        try parent.add(number, separator)
    }
}
