extension PDFFile {
    /// The section at `offset` and its trailer.
    mutating func readSection(
        at offset: Int64
    ) throws(MediaRefusal) -> (section: PDFSection, trailer: [String: PDFValue]) {
        guard offset > 0, offset < parser.reader.size else { throw .pdfPagesUnknown("cross_reference") }
        parser.at = offset
        try parser.skipSpace()
        guard try parser.peek() == UInt8(ascii: "x") else { return try readStream(at: parser.at) }
        guard try parser.next().isKeyword("xref") else { throw .pdfPagesUnknown("cross_reference") }
        var ranges: [PDFSection.Range] = []
        while true {
            let word = try parser.next()
            if word.isKeyword("trailer") { break }
            guard let first = word.integer, first >= 0, let count = try parser.next().integer, count >= 0, ranges.count < 4096
            else { throw .pdfPagesUnknown("cross_reference") }
            try parser.skipSpace()
            guard Int64(count) <= (parser.reader.size - parser.at) / 20 else { throw .pdfPagesUnknown("cross_reference") }
            ranges.append(.init(first: first, count: count, start: parser.at))
            parser.at += 20 * Int64(count)
        }
        guard let trailer = try parser.next().dictionary else { throw .pdfPagesUnknown("trailer") }
        return (PDFSection(isTable: true, ranges: ranges, bytes: [], widths: []), trailer)
    }

    private mutating func readStream(
        at offset: Int64
    ) throws(MediaRefusal) -> (section: PDFSection, trailer: [String: PDFValue]) {
        // Its dictionary is the trailer: encryption must be told before the (possibly unreadable) data.
        if let header = try object(nil, at: offset).value.dictionary, let encrypt = header["Encrypt"], !encrypt.isNull {
            throw .pdfEncrypted
        }
        let (header, data) = try stream(nil, at: offset, 0)
        guard header["Type"]?.name == "XRef", let sizes = header["W"]?.array, sizes.count == 3 else {
            throw .pdfPagesUnknown("cross_reference")
        }
        var widths: [Int] = []
        for size in sizes {
            guard let width = size.integer, (0...7).contains(width) else { throw .pdfPagesUnknown("cross_reference") }
            widths.append(width)
        }
        let total = widths.reduce(0, +)
        guard total > 0, widths[1] > 0, let size = header["Size"]?.integer else { throw .pdfPagesUnknown("cross_reference") }
        let index = header["Index"]?.array ?? [.integer(0), .integer(size)]
        var ranges: [PDFSection.Range] = []
        var start = 0
        guard index.count % 2 == 0, index.count <= 8192 else { throw .pdfPagesUnknown("cross_reference") }
        for pair in stride(from: 0, to: index.count, by: 2) {
            guard let first = index[pair].integer, let count = index[pair + 1].integer, first >= 0, count >= 0,
                count <= (data.count - start) / total
            else { throw .pdfPagesUnknown("cross_reference") }
            ranges.append(.init(first: first, count: count, start: Int64(start)))
            start += count * total
        }
        return (PDFSection(isTable: false, ranges: ranges, bytes: data, widths: widths), header)
    }
}
