/// The objects of a PDF, found through its cross-reference tables and streams (ISO 32000-2, 7.5).
struct PDFFile {
    /// Most bytes one compressed object stream or table may unpack to.
    static let mostUnpacked = 4 << 20

    var parser: PDFParser
    /// Newest first.
    var sections: [PDFSection] = []
    var root: PDFValue?
    /// The object stream that was unpacked last.
    private var container: (number: Int, stream: PDFObjectStream)?

    /// Reads every section, from the newest.
    ///
    /// - Throws: `pdf_encrypted` as soon as a trailer says so, `pdf_pages_unknown` where a section cannot be read.
    init(_ reader: ByteReader, start: Int64) throws(MediaRefusal) {
        parser = PDFParser(reader, at: start)
        var offsets = [start]
        var seen: Set<Int64> = []
        while let offset = offsets.popLast() {
            guard offset > 0, offset < reader.size, seen.insert(offset).inserted, seen.count <= 256 else {
                throw .pdfPagesUnknown("cross_reference")
            }
            let (section, trailer) = try readSection(at: offset)
            if let encrypt = trailer["Encrypt"], !encrypt.isNull { throw .pdfEncrypted }
            root = root ?? trailer["Root"]
            if let previous = trailer["Prev"]?.integer { offsets.append(Int64(previous)) }
            // Objects that a hybrid file hides from old readers stand in a stream beside the table.
            if let hidden = trailer["XRefStm"]?.integer, section.isTable {
                let (stream, _) = try readSection(at: Int64(hidden))
                sections.append(stream)
            }
            sections.append(section)
        }
    }

    /// What a value refers to; other values are themselves.
    mutating func resolve(_ value: PDFValue?, depth: Int = 0) throws(MediaRefusal) -> PDFValue {
        guard case .reference(let number)? = value else { return value ?? .null }
        guard depth < 8 else { throw .pdfPagesUnknown("nesting") }
        for section in sections {
            switch section.entry(number, &parser) {
            case nil: continue
            case .free?: return .null
            case .offset(let offset)?: return try resolve(try object(number, at: offset).value, depth: depth + 1)
            case .packed(let holder, let index)?:
                if container?.number != holder {
                    container = (holder, try PDFObjectStream(try objectStream(holder, depth + 1), &parser))
                }
                return try resolve(try container?.stream.object(number, at: index, &parser), depth: depth + 1)
            }
        }
        return .null
    }

    /// The object that starts at `offset`; for a stream the parser is left after the word `stream`.
    mutating func object(_ number: Int?, at offset: Int64) throws(MediaRefusal) -> (value: PDFValue, isStream: Bool) {
        guard offset > 0, offset < parser.reader.size else { throw .pdfPagesUnknown("cross_reference") }
        parser.at = offset
        guard let found = try parser.next().integer, number == nil || found == number, try parser.next().integer != nil,
            try parser.next().isKeyword("obj")
        else { throw .pdfPagesUnknown("cross_reference") }
        let value = try parser.next()
        guard value.dictionary != nil else { return (value, false) }
        return (value, try parser.next().isKeyword("stream"))
    }

    private mutating func objectStream(
        _ number: Int, _ depth: Int
    ) throws(MediaRefusal) -> (header: [String: PDFValue], data: [UInt8]) {
        for section in sections {
            guard case .offset(let offset)? = section.entry(number, &parser) else { continue }
            return try stream(number, at: offset, depth)
        }
        throw .pdfPagesUnknown("object_stream")
    }

    /// The dictionary and the unpacked bytes of a stream object.
    mutating func stream(
        _ number: Int?, at offset: Int64, _ depth: Int
    ) throws(MediaRefusal) -> (header: [String: PDFValue], data: [UInt8]) {
        let (value, isStream) = try object(number, at: offset)
        guard isStream, let header = value.dictionary else { throw .pdfPagesUnknown("object_stream") }
        if try parser.take() == 0x0D { _ = try parser.take() }
        let start = parser.at
        guard let length = try resolve(header["Length"], depth: depth + 1).integer, length >= 0, length <= Self.mostUnpacked
        else { throw .pdfPagesUnknown("object_stream") }
        parser.budget -= length
        let packed = try parser.reader.bytes(at: start, count: length)
        let data = try PDFFilter.unpack(packed, header)
        parser.budget -= data.count
        return (header, data)
    }
}
