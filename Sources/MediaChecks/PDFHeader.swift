/// PDF.
enum PDFHeader {
    static func parse(_ reader: inout ByteReader) throws(MediaRefusal) -> SniffedMedia {
        throw .pdfPagesUnknown("structure")
    }
}
