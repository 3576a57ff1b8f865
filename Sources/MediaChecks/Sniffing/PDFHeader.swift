/// PDF: one page and not encrypted, or refused by name.
///
/// The page tree is walked from the catalog through tables, cross-reference streams and object streams. A file whose tables
/// are broken is refused as `pdf_pages_unknown`: repairing it would be guessing.
enum PDFHeader {
    static func parse(_ reader: inout ByteReader) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "pdf_header"
        let version = try reader.bytes(at: 5, count: 3)
        guard version[0] == UInt8(ascii: "1") || version[0] == UInt8(ascii: "2"), version[1] == UInt8(ascii: "."),
            (0x30...0x39).contains(version[2])
        else { throw .mediaUnreadable("pdf_header") }
        reader.part = "pdf_objects"
        let (start, trailing) = try tail(&reader)
        var file = try PDFFile(reader, start: start)
        var media = try PDFPages.single(&file)
        media.pages = 1
        if trailing { media.flag(.trailingData) }
        return media
    }

    /// The number after the last `startxref`, and whether more than white space follows `%%EOF`.
    private static func tail(_ reader: inout ByteReader) throws(MediaRefusal) -> (start: Int64, trailing: Bool) {
        let count = Int(min(reader.size, 2048))
        let bytes = try reader.bytes(at: reader.size - Int64(count), count: count)
        guard let end = lastIndex(of: "%%EOF", in: bytes), let keyword = lastIndex(of: "startxref", in: bytes[..<end]) else {
            throw .truncated("pdf_end")
        }
        var parser = PDFParser(reader, at: reader.size - Int64(count - keyword - 9))
        guard let start = try parser.next().integer else { throw .pdfPagesUnknown("cross_reference") }
        return (Int64(start), !bytes[(end + 5)...].allSatisfy(PDFParser.isSpace))
    }

    private static func lastIndex(of word: StaticString, in bytes: some RandomAccessCollection<UInt8>) -> Int? {
        let pattern = Array("\(word)".utf8)
        let all = Array(bytes)
        guard all.count >= pattern.count else { return nil }
        for index in stride(from: all.count - pattern.count, through: 0, by: -1)
        where all[index] == pattern[0] && all[index..<index + pattern.count].elementsEqual(pattern) {
            return index
        }
        return nil
    }
}
