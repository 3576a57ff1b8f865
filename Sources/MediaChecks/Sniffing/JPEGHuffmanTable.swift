/// A Huffman table (T.81 annex C), ready to be walked one bit at a time.
struct JPEGHuffmanTable {
    /// The largest code of each length, or -1; index is the length.
    private var largest = [Int](repeating: -1, count: 17)
    /// What to add to a code of that length to find its value.
    private var delta = [Int](repeating: 0, count: 17)
    private var values: [UInt8] = []

    /// `counts` holds the number of codes of each length 1 to 16; nil where they cannot be one table.
    init?(counts: [UInt8], values: [UInt8]) {
        self.values = values
        var code = 0
        var index = 0
        for length in 1...16 {
            let count = Int(counts[length - 1])
            if count > 0 {
                delta[length] = index - code
                code += count
                index += count
                largest[length] = code - 1
                guard code <= 1 << length else { return nil }
            }
            code <<= 1
        }
        guard index == values.count else { return nil }
    }

    /// The value of `code` if it is a whole code of that length.
    func value(of code: Int, length: Int) -> Int? {
        guard code <= largest[length] else { return nil }
        let index = code + delta[length]
        return index >= 0 && index < values.count ? Int(values[index]) : nil
    }
}
