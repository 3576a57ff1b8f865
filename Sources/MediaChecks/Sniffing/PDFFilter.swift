/// The one filter that tables and object streams are written with: Flate, with or without PNG prediction.
enum PDFFilter {
    static func unpack(_ packed: [UInt8], _ header: [String: PDFValue]) throws(MediaRefusal) -> [UInt8] {
        let filter = header["Filter"] ?? .null
        if filter.isNull { return packed }
        let name = filter.name ?? (filter.array?.count == 1 ? filter.array?[0].name : nil)
        guard name == "FlateDecode" || name == "Fl", let plain = Inflate.zlib(packed, limit: PDFFile.mostUnpacked) else {
            throw .pdfPagesUnknown("filter")
        }
        let parameters = header["DecodeParms"]?.dictionary ?? header["DecodeParms"]?.array?.first?.dictionary ?? [:]
        let predictor = parameters["Predictor"]?.integer ?? 1
        if predictor == 1 { return plain }
        let columns = parameters["Columns"]?.integer ?? 1
        let colours = parameters["Colors"]?.integer ?? 1
        let depth = parameters["BitsPerComponent"]?.integer ?? 8
        guard predictor >= 10, colours == 1, depth == 8, (1...65_536).contains(columns) else {
            throw .pdfPagesUnknown("filter")
        }
        return try unpredict(plain, columns)
    }

    /// PNG prediction of one-byte samples (W3C PNG, 9.2).
    private static func unpredict(_ bytes: [UInt8], _ columns: Int) throws(MediaRefusal) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var above = [UInt8](repeating: 0, count: columns)
        var start = 0
        while start < bytes.count {
            guard start + columns < bytes.count else { throw .pdfPagesUnknown("filter") }
            var row = Array(bytes[start + 1...start + columns])
            for index in 0..<columns {
                let left = index > 0 ? Int(row[index - 1]) : 0
                let up = Int(above[index])
                let corner = index > 0 ? Int(above[index - 1]) : 0
                let guess: Int
                switch bytes[start] {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                case 4:
                    let (a, b, c) = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
                    guess = a <= b && a <= c ? left : b <= c ? up : corner
                default: throw .pdfPagesUnknown("filter")
                }
                row[index] &+= UInt8(truncatingIfNeeded: guess)
            }
            output += row
            above = row
            start += columns + 1
        }
        return output
    }
}
