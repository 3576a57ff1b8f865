/// The two header lines of a part; there may be no other.
struct PartHeaders: Sendable {
    let disposition: String
    let contentType: String

    /// - Parameter bytes: The lines with the empty line that ends them.
    init(_ bytes: [UInt8]) throws(Refusal) {
        var found: [String: String] = [:]
        for line in bytes.dropLast(4).split(separator: 10, omittingEmptySubsequences: false) {
            // the end mark of the last line was dropped with the empty line
            let isLast = line.endIndex == bytes.count - 4
            guard isLast || line.last == 13, let text = String(validating: isLast ? line : line.dropLast(), as: UTF8.self),
                let colon = text.firstIndex(of: ":"), !text.contains("\r")
            else { throw .malformed("A header line of a part is not 'name: value' in UTF-8, ended by CR LF.") }
            let name = text[..<colon].lowercased()
            guard name == "content-disposition" || name == "content-type" else {
                throw .malformed("A part has another header line than Content-Disposition and Content-Type.")
            }
            let value = String(text[text.index(after: colon)...].drop { $0 == " " })
            guard found.updateValue(value, forKey: name) == nil else {
                throw .malformed("A part has the header line \(name) twice.")
            }
        }
        guard let disposition = found["content-disposition"], let contentType = found["content-type"] else {
            throw .malformed("A part lacks Content-Disposition or Content-Type.")
        }
        self.disposition = disposition
        self.contentType = contentType
    }
}
