import CSQLite
import Synchronization
import SystemCalls

/// A database file whose empty tables are filled straight in SQLite's file format (https://sqlite.org/fileformat2.html), each in the
/// order of its keys: a few instructions a row in place of a statement's thousands. No connection has the file open meanwhile. Several
/// threads may fill a table each.
///
/// Nothing is durable before ``finish()``, and a file that was not finished is no database: it is for files made beside others.
package final class TableFile: Sendable {
    let pageSize: Int
    private let path: String
    private let file: FileDescriptor
    private let pages: Mutex<Pages>

    private struct Pages {
        /// Pages there are, from 1 on.
        var count: Int
        /// Those that nobody filled.
        var spare: [Int] = []
    }

    /// Takes over a database that holds tables without rows and was closed.
    ///
    /// - Throws: `SQLITE_NOTADB` for a file in which a table could not be filled: one with a write-ahead log, spare pages, or pages that
    ///   say what points to them.
    package init(path: String) throws(SQLiteError) {
        let opened = try called(path) { () throws(SystemError) in
            let file = try FileDescriptor(opening: path, .write, followLinks: true)
            var bytes = [UInt8](repeating: 0, count: Header.size)
            var span = bytes.mutableSpan
            let count = try file.read(into: &span, at: 0)
            return Opened(file: file, header: count == Header.size ? Header(bytes) : nil)
        }
        guard let header = opened.header, header.canBeFilled else {
            throw SQLiteError(
                code: SQLITE_NOTADB, extendedCode: SQLITE_NOTADB, message: "no database with empty tables: \(path)")
        }
        self.path = path
        file = opened.file
        pageSize = header.pageSize
        pages = Mutex(Pages(count: header.pageCount))
    }

    private struct Opened: ~Copyable {
        let file: FileDescriptor
        let header: Header?
    }

    /// The page of the file that SQLite keeps for locks, and never uses.
    private var lockPage: Int { 0x4000_0000 / pageSize + 1 }

    /// New pages, one behind the other.
    ///
    /// - Returns: the number of the first.
    func takePages(_ count: Int) -> Int {
        let lockPage = lockPage
        return pages.withLock { pages in
            if (pages.count + 1...pages.count + count).contains(lockPage) {
                if lockPage > pages.count + 1 { pages.spare += pages.count + 1..<lockPage }
                pages.count = lockPage
            }
            pages.count += count
            return pages.count - count + 1
        }
    }

    /// Pages that were taken and stay empty.
    func giveBack(_ numbers: Range<Int>) { pages.withLock { $0.spare += numbers } }

    /// - Parameter bytes: whole pages.
    func write(_ bytes: Span<UInt8>, atPage number: Int) throws(SQLiteError) {
        try called(path) { () throws(SystemError) in try file.write(bytes, at: Int64(number - 1) * Int64(pageSize)) }
    }

    /// Makes a database of it that a connection may open; the caller makes it durable.
    package func finish() throws(SQLiteError) {
        let (count, spare) = pages.withLock { ($0.count, $0.spare.sorted()) }
        try writeSpare(spare)
        let size = Int64(count) * Int64(pageSize)
        let words =
            BigEndian.bytes(UInt32(count)) + BigEndian.bytes(UInt32(spare.first ?? 0)) + BigEndian.bytes(UInt32(spare.count))
        try called(path) { () throws(SystemError) in
            try file.truncate(to: size)
            try file.write(words.span, at: Int64(Header.pageCountOffset))
        }
    }

    /// The list of free pages: the first holds the numbers of the others, or of as many as have room.
    private func writeSpare(_ spare: [Int]) throws(SQLiteError) {
        let room = pageSize / 4 - 8
        var rest = spare[...]
        while let trunk = rest.first {
            let leaves = rest.dropFirst().prefix(room)
            rest = rest.dropFirst(1 + leaves.count)
            var bytes = BigEndian.bytes(UInt32(rest.first ?? 0)) + BigEndian.bytes(UInt32(leaves.count))
            for leaf in leaves { bytes += BigEndian.bytes(UInt32(leaf)) }
            bytes += [UInt8](repeating: 0, count: pageSize - bytes.count)
            try write(bytes.span, atPage: trunk)
        }
    }
}

/// What of the file's first hundred bytes is looked at.
private struct Header {
    static let size = 100
    static let pageCountOffset = 28

    let pageSize: Int
    let pageCount: Int
    let canBeFilled: Bool

    init(_ bytes: [UInt8]) {
        func word(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        pageCount = word(Self.pageCountOffset)
        let isPlain = bytes[18] == 1 && bytes[19] == 1 && bytes[20] == 0
        let (freePages, largestRoot) = (word(36), word(52))
        canBeFilled =
            bytes.starts(with: "SQLite format 3\0".utf8) && isPlain && pageSize >= 512 && pageCount > 0 && freePages == 0
            && largestRoot == 0 && word(24) == word(92)
    }
}

enum BigEndian {
    static func bytes(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
}

/// Runs a step over the file itself, and says what it threw as SQLite would.
private func called<Value: ~Copyable>(_ path: String, _ body: () throws(SystemError) -> Value) throws(SQLiteError) -> Value {
    do { return try body() } catch {
        let code =
            switch error.code {
            case .storageFull: SQLITE_FULL
            case .notFound: SQLITE_CANTOPEN
            case .permissionDenied, .readOnly: SQLITE_READONLY
            default: SQLITE_IOERR
            }
        throw SQLiteError(code: code, extendedCode: code, message: "\(error.message): \(path)")
    }
}
