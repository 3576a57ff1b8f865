/// One cross-reference section: where objects are.
struct PDFSection {
    enum Entry {
        case free
        case offset(Int64)
        case packed(holder: Int, index: Int)
    }

    struct Range {
        let first: Int
        let count: Int
        /// Offset of its first entry, in the file for a table and in `bytes` for a stream.
        let start: Int64
    }

    let isTable: Bool
    let ranges: [Range]
    /// Unpacked entries and the widths of their three numbers; for a stream.
    let bytes: [UInt8]
    let widths: [Int]

    func entry(_ number: Int, _ parser: inout PDFParser) -> Entry? {
        for range in ranges where number >= range.first && number - range.first < range.count {
            let index = number - range.first
            return isTable ? table(range.start + 20 * Int64(index), &parser) : stream(Int(range.start), index)
        }
        return nil
    }

    /// `nnnnnnnnnn ggggg n`, twenty bytes with its line end.
    private func table(_ offset: Int64, _ parser: inout PDFParser) -> Entry? {
        guard let line = try? parser.reader.bytes(at: offset, count: 18), line[10] == 0x20, line[16] == 0x20 else { return nil }
        if line[17] == UInt8(ascii: "f") { return .free }
        guard line[17] == UInt8(ascii: "n") else { return nil }
        var value: Int64 = 0
        for digit in line[..<10] {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return .offset(value)
    }

    private func stream(_ start: Int, _ index: Int) -> Entry? {
        let size = widths.reduce(0, +)
        let at = start + index * size
        guard at >= 0, at + size <= bytes.count else { return nil }
        func number(_ from: Int, _ width: Int) -> Int {
            bytes[from..<from + width].reduce(0) { $0 << 8 | Int($1) }
        }
        let kind = widths[0] == 0 ? 1 : number(at, widths[0])
        let second = number(at + widths[0], widths[1])
        let third = number(at + widths[0] + widths[1], widths[2])
        switch kind {
        case 0: return .free
        case 1: return .offset(Int64(second))
        case 2: return .packed(holder: second, index: third)
        default: return nil
        }
    }
}
