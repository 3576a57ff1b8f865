/// DEFLATE inside zlib (RFC 1951, RFC 1950), for the compressed tables of a PDF. Output is bounded; nil where the data makes
/// no sense or grows past the bound. The checksum at the end is not looked at: it protects against chance, not against intent.
struct Inflate {
    private let input: [UInt8]
    private let limit: Int
    private var position = 2
    private var held: UInt32 = 0
    private var heldCount = 0
    private var output: [UInt8] = []

    static func zlib(_ input: [UInt8], limit: Int) -> [UInt8]? {
        guard input.count >= 2, input[0] & 15 == 8, input[1] & 0x20 == 0, (Int(input[0]) << 8 | Int(input[1])) % 31 == 0 else {
            return nil
        }
        var inflate = Inflate(input: input, limit: limit)
        return inflate.run() ? inflate.output : nil
    }

    private init(input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
    }

    private mutating func run() -> Bool {
        while true {
            guard let last = bits(1), let kind = bits(2) else { return false }
            let succeeded: Bool
            switch kind {
            case 0: succeeded = stored()
            case 1: succeeded = compressed(Self.fixedLiterals, Self.fixedDistances)
            case 2: succeeded = dynamic()
            default: succeeded = false
            }
            guard succeeded else { return false }
            if last == 1 { return true }
        }
    }

    private mutating func bits(_ count: Int) -> Int? {
        while heldCount < count {
            guard position < input.count else { return nil }
            held |= UInt32(input[position]) << UInt32(heldCount)
            position += 1
            heldCount += 8
        }
        let value = held & (1 << UInt32(count) - 1)
        held >>= UInt32(count)
        heldCount -= count
        return Int(value)
    }

    private mutating func stored() -> Bool {
        held = 0
        heldCount = 0
        guard position + 4 <= input.count else { return false }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        let check = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard count == ~check & 0xFFFF, position + count <= input.count, output.count + count <= limit else { return false }
        output.append(contentsOf: input[position..<position + count])
        position += count
        return true
    }

    private mutating func symbol(_ table: Table) -> Int? {
        var code = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            guard let bit = bits(1) else { return nil }
            code |= bit
            let count = table.counts[length]
            if code - first < count { return table.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }

    private mutating func compressed(_ literals: Table, _ distances: Table) -> Bool {
        while true {
            guard let value = symbol(literals) else { return false }
            if value == 256 { return true }
            if value < 256 {
                guard output.count < limit else { return false }
                output.append(UInt8(value))
                continue
            }
            guard value < 286, let extra = bits(Self.lengthBits[value - 257]), let step = symbol(distances), step < 30,
                let more = bits(Self.distanceBits[step])
            else { return false }
            let length = Self.lengthBase[value - 257] + extra
            let distance = Self.distanceBase[step] + more
            guard distance <= output.count, output.count + length <= limit else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func dynamic() -> Bool {
        guard let literals = bits(5), let distances = bits(5), let codes = bits(4) else { return false }
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<codes + 4 {
            guard let length = bits(3) else { return false }
            lengths[Self.order[index]] = length
        }
        guard let codeTable = Table(lengths) else { return false }
        var all: [Int] = []
        let total = literals + 257 + distances + 1
        while all.count < total {
            guard let value = symbol(codeTable) else { return false }
            let (item, base, width) =
                switch value {
                case 16: (all.last ?? -1, 3, 2)
                case 17: (0, 3, 3)
                case 18: (0, 11, 7)
                default: (value, 1, 0)
                }
            guard item >= 0, let extra = bits(width), all.count + base + extra <= total else { return false }
            all.append(contentsOf: repeatElement(item, count: base + extra))
        }
        guard let literalTable = Table(Array(all[..<(literals + 257)])),
            let distanceTable = Table(Array(all[(literals + 257)...]))
        else { return false }
        return compressed(literalTable, distanceTable)
    }
}

extension Inflate {
    /// A canonical Huffman code.
    struct Table {
        private(set) var counts = [Int](repeating: 0, count: 16)
        private(set) var symbols: [Int] = []

        /// Nil where more codes are asked for than there are.
        init?(_ lengths: [Int]) {
            for length in lengths where length > 0 { counts[length] += 1 }
            var left = 1
            for length in 1...15 {
                left = left << 1 - counts[length]
                guard left >= 0 else { return nil }
            }
            for length in 1...15 {
                for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
            }
        }
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193,
        12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let fixedLiterals = Table(
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8))!
    private static let fixedDistances = Table(Array(repeating: 5, count: 30))!
}
