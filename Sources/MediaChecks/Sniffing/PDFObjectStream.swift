/// Objects packed into one stream (ISO 32000-2, 7.5.7).
struct PDFObjectStream {
    private let reader: ByteReader
    private var offsets: [(number: Int, offset: Int64)] = []

    init(_ stream: (header: [String: PDFValue], data: [UInt8]), _ parser: inout PDFParser) throws(MediaRefusal) {
        reader = ByteReader(ByteArraySource(stream.data), part: parser.reader.part)
        guard stream.header["Type"]?.name == "ObjStm", let count = stream.header["N"]?.integer, count >= 0,
            let first = stream.header["First"]?.integer, (0...stream.data.count).contains(first), count <= stream.data.count / 2
        else { throw .pdfPagesUnknown("object_stream") }
        var inner = PDFParser(reader, at: 0)
        inner.budget = parser.budget
        for _ in 0..<count {
            guard let number = try inner.next().integer, let offset = try inner.next().integer, offset >= 0,
                offset < stream.data.count
            else { throw .pdfPagesUnknown("object_stream") }
            offsets.append((number, Int64(first) + Int64(offset)))
        }
        parser.budget = inner.budget
    }

    func object(_ number: Int, at index: Int, _ parser: inout PDFParser) throws(MediaRefusal) -> PDFValue {
        guard index < offsets.count, offsets[index].number == number, offsets[index].offset < reader.size else {
            throw .pdfPagesUnknown("object_stream")
        }
        var inner = PDFParser(reader, at: offsets[index].offset)
        inner.budget = parser.budget
        defer { parser.budget = inner.budget }
        return try inner.next()
    }
}
