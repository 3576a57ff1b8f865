import CSQLite

/// A table's tree while its rows come in the order of their keys; https://sqlite.org/fileformat2.html#b_tree_pages.
@safe struct TableTree: ~Copyable {
    private let shape: TableShape
    private let file: TableFile
    private let pages: PageRun
    private let overflow: OverflowRule
    private var leaf: TreePage
    private var parent: TreeLevel?
    private var cell: UnsafeMutableRawPointer
    private var capacity = 1024
    /// Of a table without rowids: an entry that found no room. It stands between two pages as soon as something comes behind it.
    private var waiting: [UInt8]?
    /// Of the row that was added last.
    private var lastRowid = Int64.min
    private var lastKey: [UInt8] = []

    init(_ file: TableFile, _ shape: TableShape) {
        precondition(shape.columns <= 64 && shape.keyColumns > 0 && (!shape.hasRowid || shape.keyColumns == 1))
        self.shape = shape
        self.file = file
        pages = PageRun(file)
        overflow = OverflowRule(pageSize: file.pageSize, isTable: shape.hasRowid)
        leaf = TreePage(shape.hasRowid ? .tableLeaf : .indexLeaf, size: file.pageSize)
        unsafe cell = .allocate(byteCount: Self.front + capacity, alignment: 16)
    }

    deinit { unsafe cell.deallocate() }

    /// Room before a record for its length and its rowid.
    private static let front = 18

    mutating func append(_ rows: PackedRows) throws(SQLiteError) {
        var failure: SQLiteError?
        unsafe rows.withPackedBytes { bytes in
            var row = unsafe bytes
            let end = unsafe bytes + rows.byteCount
            while unsafe row < end, failure == nil {
                do throws(SQLiteError) { unsafe row = try append(row) } catch { failure = error }
            }
            precondition(unsafe failure != nil || row == end, "rows of another table")
        }
        if let failure { throw failure }
    }

    mutating func finish() throws(SQLiteError) {
        if let waiting {
            // the entry before it stands between the pages in its stead
            let before = leaf.takeLast()
            try endLeaf(separator: before)
            unsafe waiting.withUnsafeBytes { unsafe leaf.put($0) }
            self.waiting = nil
        }
        let (file, pages, root) = (file, pages, shape.root)
        if let parent {
            let number = try leaf.finish(right: 0) { (bytes) throws(SQLiteError) in try pages.add(bytes) }
            try parent.finish(number, root: root, file)
        } else {
            try leaf.finish(right: 0) { (bytes) throws(SQLiteError) in try file.write(bytes, atPage: root) }
        }
        try pages.finish()
    }

    /// - Returns: where the next row begins.
    private mutating func append(_ row: UnsafePointer<UInt8>) throws(SQLiteError) -> UnsafePointer<UInt8> {
        var rowid: Int64 = 0
        var next = unsafe row
        var length = unsafe record(row, &rowid, &next)
        if length > capacity {
            unsafe cell.deallocate()
            capacity = length * 2
            unsafe cell = .allocate(byteCount: Self.front + capacity, alignment: 16)
            length = unsafe record(row, &rowid, &next)
        }
        unsafe try checkOrder(row, rowid)
        let (start, end) = try makeCell(length, rowid)
        unsafe try add(UnsafeRawBufferPointer(start: cell + start, count: end - start))
        lastRowid = rowid
        return unsafe next
    }

    private func record(_ row: UnsafePointer<UInt8>, _ rowid: inout Int64, _ next: inout UnsafePointer<UInt8>) -> Int {
        let memory = unsafe (cell + Self.front).assumingMemoryBound(to: UInt8.self)
        var behind: UnsafePointer<UInt8>? = unsafe next
        let length = unsafe cl_sqlite3_make_record(
            row, Int32(shape.columns), shape.hasRowid ? 1 : 0, memory, capacity, &rowid, &behind)
        if let behind = unsafe behind { unsafe next = behind }
        return length
    }

    private mutating func checkOrder(_ row: UnsafePointer<UInt8>, _ rowid: Int64) throws(SQLiteError) {
        if shape.hasRowid {
            if rowid > lastRowid { return }
        } else {
            let length = unsafe Int(cl_sqlite3_packed_length(row, Int32(shape.keyColumns)))
            let order = unsafe lastKey.withUnsafeBufferPointer { last -> Int32 in
                guard let start = last.baseAddress, !last.isEmpty else { return -1 }
                return unsafe cl_sqlite3_compare_packed(start, row, Int32(shape.keyColumns))
            }
            lastKey.removeAll(keepingCapacity: true)
            unsafe lastKey.append(contentsOf: UnsafeBufferPointer(start: row, count: length))
            if order < 0 { return }
        }
        throw SQLiteError(
            code: SQLITE_CONSTRAINT, extendedCode: SQLITE_CONSTRAINT,
            message: "a row's key is not behind that of the row before it")
    }

    /// Puts what stands before a record before it, and what is too long for a page behind it into pages of its own.
    ///
    /// - Returns: where the cell begins and ends in `cell`.
    private mutating func makeCell(_ length: Int, _ rowid: Int64) throws(SQLiteError) -> (start: Int, end: Int) {
        var head: (UInt64, UInt64, UInt64) = (0, 0, 0)
        let headLength = unsafe withUnsafeMutableBytes(of: &head) { head -> Int in
            let at = unsafe head.baseAddress!.assumingMemoryBound(to: UInt8.self)
            var count = unsafe Int(cl_sqlite3_put_varint(at, UInt64(length)))
            if shape.hasRowid { unsafe count += Int(cl_sqlite3_put_varint(at + count, UInt64(bitPattern: rowid))) }
            return count
        }
        unsafe withUnsafeBytes(of: head) {
            unsafe (cell + Self.front - headLength).copyMemory(from: $0.baseAddress!, byteCount: headLength)
        }
        let local = overflow.local(length)
        guard local < length else { return (Self.front - headLength, Self.front + length) }
        let rest = unsafe UnsafeRawBufferPointer(start: cell + Self.front + local, count: length - local)
        let first = unsafe try writeOverflow(rest)
        unsafe cell.storeBytes(of: UInt32(first).bigEndian, toByteOffset: Self.front + local, as: UInt32.self)
        return (Self.front - headLength, Self.front + local + 4)
    }

    /// From the last page to the first, since each names the next one.
    private func writeOverflow(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> Int {
        let room = file.pageSize - 4
        var (next, end) = (0, bytes.count)
        while end > 0 {
            let start = (end - 1) / room * room
            var page = BigEndian.bytes(UInt32(next))
            unsafe page.append(contentsOf: bytes[start..<end])
            page += [UInt8](repeating: 0, count: file.pageSize - page.count)
            next = try pages.add(page.span)
            end = start
        }
        return next
    }

    private mutating func add(_ cell: UnsafeRawBufferPointer) throws(SQLiteError) {
        if let waiting {
            try endLeaf(separator: waiting)
            self.waiting = nil
        }
        if leaf.hasRoom(for: cell.count) {
            unsafe leaf.put(cell)
        } else if shape.hasRowid {
            // rows stay in the leaves: what stands between two of them is the last rowid before it
            var separator = [UInt8](repeating: 0, count: 9)
            let length = unsafe separator.withUnsafeMutableBufferPointer {
                unsafe cl_sqlite3_put_varint($0.baseAddress, UInt64(bitPattern: lastRowid))
            }
            try endLeaf(separator: Array(separator.prefix(Int(length))))
            unsafe leaf.put(cell)
        } else {
            waiting = unsafe Array(cell)
        }
    }

    private mutating func endLeaf(separator: [UInt8]) throws(SQLiteError) {
        let pages = pages
        let number = try leaf.finish(right: 0) { (bytes) throws(SQLiteError) in try pages.add(bytes) }
        let parent = parent ?? TreeLevel(shape.hasRowid ? .tableInterior : .indexInterior, pageSize: file.pageSize, pages)
        self.parent = parent
        try parent.add(number, separator)
    }
}

/// How much of a record stands in its page; https://sqlite.org/fileformat2.html#cell_payload_overflow_pages.
struct OverflowRule {
    private let most: Int
    private let least: Int
    private let room: Int

    init(pageSize: Int, isTable: Bool) {
        most = isTable ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
        least = (pageSize - 12) * 32 / 255 - 23
        room = pageSize - 4
    }

    func local(_ length: Int) -> Int {
        if length <= most { return length }
        let local = least + (length - least) % room
        return local <= most ? local : least
    }
}
