/// A row's canonical bytes (docs/storage-format.md), read back into its columns. Strict: what does not encode to the same bytes again
/// is none.
struct CanonicalRow: Hashable, Sendable {
    enum Cell: Hashable, Sendable {
        case null
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    let cells: [Cell]

    /// nil unless there are exactly `count` columns and nothing behind them.
    init?(_ bytes: [UInt8], columns count: Int) {
        var cells: [Cell] = []
        var offset = 0
        while offset < bytes.count, cells.count < count {
            guard let (cell, next) = Self.cell(bytes, offset) else { return nil }
            cells.append(cell)
            offset = next
        }
        guard cells.count == count, offset == bytes.count else { return nil }
        self.cells = cells
    }

    private static func cell(_ bytes: [UInt8], _ offset: Int) -> (Cell, Int)? {
        let start = offset + 1
        switch bytes[offset] {
        case 0: return (.null, start)
        case 1:
            guard start + 8 <= bytes.count else { return nil }
            let word = bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (.integer(Int64(bitPattern: word)), start + 8)
        case 2, 3:
            guard start + 4 <= bytes.count else { return nil }
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - start - 4 else { return nil }
            let content = Array(bytes[start + 4..<start + 4 + length])
            if bytes[offset] == 3 { return (.blob(content), start + 4 + length) }
            guard let text = String(validating: content, as: UTF8.self) else { return nil }
            return (.text(text), start + 4 + length)
        default: return nil
        }
    }

    func integer(_ column: Int) -> Int64? {
        guard case .integer(let value) = cells[column] else { return nil }
        return value
    }

    func text(_ column: Int) -> String? {
        guard case .text(let value) = cells[column] else { return nil }
        return value
    }

    func blob(_ column: Int) -> [UInt8]? {
        guard case .blob(let value) = cells[column] else { return nil }
        return value
    }
}
