import CSQLite

/// Values of many rows, one after the other, to be bound to one statement. It belongs to one thread at a time.
@safe package final class PackedRows: @unchecked Sendable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    package init(reserving capacity: Int = 4096) {
        self.capacity = max(64, capacity)
        unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    package var isEmpty: Bool { count == 0 }
    package var byteCount: Int { count }

    /// Begins anew in the same memory.
    package func removeAll() { count = 0 }

    package func appendNull() {
        reserve(1)
        unsafe memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    package func append(_ value: Int64) {
        reserve(9)
        unsafe memory.storeBytes(of: 1, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: value, toByteOffset: count + 1, as: Int64.self)
        count += 9
    }

    package func append(_ value: Int64?) { if let value { append(value) } else { appendNull() } }
    package func append(_ value: Int) { append(Int64(value)) }
    package func append(_ value: Int?) { if let value { append(Int64(value)) } else { appendNull() } }
    package func append(_ value: Bool?) { if let value { append(value ? Int64(1) : 0) } else { appendNull() } }

    package func append(_ value: Double?) {
        guard let value else { return appendNull() }
        reserve(9)
        unsafe memory.storeBytes(of: 4, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: value, toByteOffset: count + 1, as: Double.self)
        count += 9
    }

    package func append(_ value: String) {
        var text = value
        text.withUTF8 { unsafe append(tag: 2, UnsafeRawBufferPointer($0)) }
    }

    package func append(_ value: String?) { if let value { append(value) } else { appendNull() } }

    /// Sixteen bytes, most significant first.
    package func append(words high: UInt64, _ low: UInt64) {
        reserve(21)
        unsafe memory.storeBytes(of: 3, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: 16, toByteOffset: count + 1, as: UInt32.self)
        unsafe memory.storeBytes(of: high.bigEndian, toByteOffset: count + 5, as: UInt64.self)
        unsafe memory.storeBytes(of: low.bigEndian, toByteOffset: count + 13, as: UInt64.self)
        count += 21
    }

    /// The same sixteen bytes as the 36 characters of a UUID, in lower case.
    package func append(uuidText high: UInt64, _ low: UInt64) {
        reserve(41)
        unsafe memory.storeBytes(of: 2, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: 36, toByteOffset: count + 1, as: UInt32.self)
        count += 5
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { put(UInt8(ascii: "-")) }
            let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - 4 * (index & 15))) & 15
            put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private func put(_ byte: UInt8) {
        unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Whole rows of another one, by their bytes.
    package func append(_ rows: PackedRows, _ range: Range<Int>) {
        precondition(range.upperBound <= rows.count)
        reserve(range.count)
        unsafe (memory + count).copyMemory(from: rows.memory + range.lowerBound, byteCount: range.count)
        count += range.count
    }

    /// The first columns of the row that the statement stands on, as they are.
    package func append(_ row: Statement, columns: Int) {
        let room = capacity - count
        let length = unsafe cl_sqlite3_pack_row(row.handle, Int32(columns), bytes(from: count), room)
        if length > room {
            reserve(length)
            unsafe cl_sqlite3_pack_row(row.handle, Int32(columns), bytes(from: count), length)
        }
        count += length
    }

    private func bytes(from offset: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (memory + offset).assumingMemoryBound(to: UInt8.self)
    }

    private func append(tag: UInt8, _ bytes: UnsafeRawBufferPointer) {
        reserve(5 + bytes.count)
        unsafe memory.storeBytes(of: tag, toByteOffset: count, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt32(bytes.count), toByteOffset: count + 1, as: UInt32.self)
        if let base = bytes.baseAddress {
            unsafe memory.advanced(by: count + 5).copyMemory(from: base, byteCount: bytes.count)
        }
        count += 5 + bytes.count
    }

    private func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let wider = max(capacity * 2, count + more)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
        unsafe moved.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = moved
        capacity = wider
    }

    package func append(blob value: [UInt8]) { unsafe value.withUnsafeBytes { unsafe append(tag: 3, $0) } }

    /// Hands over the bytes where they lie.
    func withPackedBytes(_ body: (UnsafePointer<UInt8>) -> Void) {
        unsafe body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
    }

    fileprivate func bind(_ handle: OpaquePointer, columns: Int32) -> Int32 {
        unsafe cl_sqlite3_bind_values(handle, memory.assumingMemoryBound(to: UInt8.self), columns)
    }

    fileprivate func run(_ handle: OpaquePointer, columns: Int32) -> Int32 {
        unsafe cl_sqlite3_run_rows(handle, memory.assumingMemoryBound(to: UInt8.self), count, columns)
    }
}

extension Statement {
    /// Binds the values of one row where they lie and steps: `row` stays as it is until the statement is reset.
    package func step(binding row: PackedRows) throws(SQLiteError) -> Bool {
        let code = unsafe row.bind(handle, columns: sqlite3_bind_parameter_count(handle))
        guard code == SQLITE_OK else { throw connection.error(code) }
        return try step()
    }

    /// Runs the statement once for each row, whose values are bound to ?1, ?2 ….
    ///
    /// - Parameter rows: whole rows of as many values as the statement has parameters.
    package func run(_ rows: PackedRows) throws(SQLiteError) {
        guard !rows.isEmpty else { return }
        let code = unsafe rows.run(handle, columns: sqlite3_bind_parameter_count(handle))
        guard code == SQLITE_OK else {
            let failure = connection.error(code)
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
            throw failure
        }
    }
}
