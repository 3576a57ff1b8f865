extension JPEGCompleteness {
    /// Where a scan's data ends if every block of it is there, else nil.
    mutating func walkScan(
        _ reader: inout ByteReader, _ scan: JPEGScan, from start: Int64
    ) throws(MediaRefusal) -> Int64? {
        var blocks = BlockWalk(bits: JPEGBits(at: start), scan: scan, isProgressive: frame.isProgressive)
        let interleaved = scan.parts.count > 1
        let (columns, rows) = interleaved ? units : size(of: scan.parts[0].component)
        if frame.isProgressive, scan.first > 0, significant[scan.parts[0].component].isEmpty {
            significant[scan.parts[0].component] = Array(repeating: 0, count: columns * rows)
        }
        for unit in 0..<columns * rows {
            if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                guard try blocks.restart(&reader) else { return nil }
            }
            for part in scan.parts {
                let component = frame.components[part.component]
                let count = interleaved ? component.horizontal * component.vertical : 1
                visited += count
                guard visited <= Self.mostBlocks else { throw .mediaUnreadable("jpeg_scan") }
                for _ in 0..<count {
                    var known: UInt64 = scan.first > 0 ? significant[part.component][unit] : 0
                    guard
                        try blocks.step(
                            &reader, dc: dcTables[part.dcTable], ac: acTables[part.acTable], known: &known)
                    else { return nil }
                    if scan.first > 0 { significant[part.component][unit] = known }
                }
            }
        }
        return blocks.bits.offset
    }

    /// Interleaved units across and down.
    private var units: (Int, Int) {
        (
            Self.ceiling(frame.width, 8 * frame.largestHorizontal), Self.ceiling(frame.height, 8 * frame.largestVertical)
        )
    }

    /// Blocks across and down of one component on its own (T.81 A.2.2).
    private func size(of index: Int) -> (Int, Int) {
        let component = frame.components[index]
        return (
            Self.ceiling(Self.ceiling(frame.width * component.horizontal, frame.largestHorizontal), 8),
            Self.ceiling(Self.ceiling(frame.height * component.vertical, frame.largestVertical), 8)
        )
    }

    private static func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }
}

/// Reads the codes of one block after the other (T.81 F.2.2 and G.2), keeping only how far it got.
private struct BlockWalk {
    var bits: JPEGBits
    let scan: JPEGScan
    let isProgressive: Bool
    /// Blocks still covered by an end-of-band run.
    var run = 0

    mutating func restart(_ reader: inout ByteReader) throws(MediaRefusal) -> Bool {
        run = 0
        return try bits.restart(&reader)
    }

    /// False where the data ends or makes no sense. `known` holds the block's coefficients that are not zero.
    mutating func step(
        _ reader: inout ByteReader, dc: JPEGHuffmanTable?, ac: JPEGHuffmanTable?, known: inout UInt64
    ) throws(MediaRefusal) -> Bool {
        if scan.first == 0 {
            if scan.high > 0 { return try bits.bit(&reader) != nil }
            guard let dc, let size = try bits.symbol(dc, &reader), size <= 16, try bits.bits(size, &reader) != nil else {
                return false
            }
            if isProgressive { return true }
        }
        guard let ac else { return false }
        if scan.high > 0 { return try refine(&reader, ac, &known) }
        return try first(&reader, ac, &known)
    }

    private mutating func first(
        _ reader: inout ByteReader, _ table: JPEGHuffmanTable, _ known: inout UInt64
    ) throws(MediaRefusal) -> Bool {
        if run > 0 {
            run -= 1
            return true
        }
        var index = max(scan.first, 1)
        while index <= scan.last {
            guard let symbol = try bits.symbol(table, &reader) else { return false }
            let (zeros, size) = (symbol >> 4, symbol & 15)
            if size > 0 {
                index += zeros
                guard index <= scan.last, try bits.bits(size, &reader) != nil else { return false }
                known |= 1 << UInt64(index)
                index += 1
            } else if zeros == 15 {
                index += 16
            } else {
                guard isProgressive || zeros == 0, let more = try bits.bits(zeros, &reader) else { return false }
                run = (1 << zeros) - 1 + more
                return true
            }
        }
        return true
    }

    private mutating func refine(
        _ reader: inout ByteReader, _ table: JPEGHuffmanTable, _ known: inout UInt64
    ) throws(MediaRefusal) -> Bool {
        var index = scan.first
        while run == 0, index <= scan.last {
            guard let symbol = try bits.symbol(table, &reader) else { return false }
            var zeros = symbol >> 4
            let size = symbol & 15
            if size == 0, zeros < 15 {
                guard let more = try bits.bits(zeros, &reader) else { return false }
                run = (1 << zeros) + more
                break
            }
            if size > 0, try bits.bit(&reader) == nil { return false }
            while index <= scan.last {
                if known >> UInt64(index) & 1 == 1 {
                    guard try bits.bit(&reader) != nil else { return false }
                } else {
                    if zeros == 0 { break }
                    zeros -= 1
                }
                index += 1
            }
            if size > 0 {
                guard index <= scan.last else { return false }
                known |= 1 << UInt64(index)
            }
            index += 1
        }
        guard run > 0 else { return true }
        while index <= scan.last {
            if known >> UInt64(index) & 1 == 1, try bits.bit(&reader) == nil { return false }
            index += 1
        }
        run -= 1
        return true
    }
}
