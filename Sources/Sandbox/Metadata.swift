/// The part `metadata`, checked against its schema.
struct Metadata: Sendable {
    static let extensions = [
        "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/heic": "heic", "application/pdf": "pdf",
        "video/mp4": "mp4", "video/quicktime": "mov",
    ]

    let sessionID: String
    let piece: String
    let captureID: String
    private let captureIDAsWritten: String
    private let type: String
    private let bytes: Int
    private let sha256: String

    init(_ json: [UInt8]) throws(Refusal) {
        let value: SandboxJSON
        do { value = try SandboxJSON(reading: json) } catch {
            throw .malformed("The part 'metadata' is not JSON: \(error.reason), at byte \(error.position).")
        }
        let object = try MetadataObject(
            value, "metadata", required: ["schema", "session_id", "piece", "capture_id", "attempt", "source", "media"],
            optional: ["transaction_id", "context"])
        guard object["schema"] == .number("1") else { throw .malformed("metadata.schema is not 1.") }
        sessionID = try object.uuid("session_id").lowercased()
        piece = try object.choice("piece", knownPieces)
        captureIDAsWritten = try object.uuid("capture_id")
        captureID = captureIDAsWritten.lowercased()
        _ = try object.count("attempt")
        _ = try object.choice("source", ["camera", "gallery", "file"])
        for name in ["transaction_id", "context"] where object[name] != nil { _ = try object.text(name) }
        let media = try MetadataObject(
            object["media"] ?? .null, "metadata.media", required: ["type", "bytes", "sha256"], optional: ["width", "height"])
        type = try media.choice("type", Self.extensions.keys.sorted())
        bytes = try media.count("bytes")
        sha256 = try media.text("sha256")
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }) else {
            throw .malformed("metadata.media.sha256 is not 64 lower-case hexadecimal digits.")
        }
        for name in ["width", "height"] where media[name] != nil { _ = try media.count(name) }
    }

    /// The media part must be what the metadata says of it.
    func check(_ headers: PartHeaders, bytes: Int, digest: String) throws(Refusal) {
        let name = "\(captureIDAsWritten).\(Self.extensions[type] ?? "")"
        guard headers.disposition == "form-data; name=\"media\"; filename=\"\(name)\"" else {
            throw .malformed("The second part is not form-data; name=\"media\"; filename=\"<capture_id>.<ext>\".")
        }
        guard headers.contentType == type else {
            throw .malformed("The content type of the part 'media' is not metadata.media.type.")
        }
        guard bytes == self.bytes else {
            throw .malformed("The part 'media' has \(bytes) bytes, metadata.media.bytes says \(self.bytes).")
        }
        guard digest == sha256 else { throw .malformed("The part 'media' has another digest than metadata.media.sha256.") }
    }
}

/// One object of the metadata, read strictly.
private struct MetadataObject {
    private let json: SandboxJSON
    private let place: String

    init(_ json: SandboxJSON, _ place: String, required: [String], optional: [String]) throws(Refusal) {
        guard case .object(let members) = json else { throw .malformed("\(place) is not an object.") }
        let names = members.map(\.name)
        for name in required where !names.contains(name) { throw .malformed("\(place).\(name) is missing.") }
        guard names.allSatisfy({ required.contains($0) || optional.contains($0) }) else {
            throw .malformed("\(place) has a member that the contract does not know.")
        }
        self.json = json
        self.place = place
    }

    subscript(name: String) -> SandboxJSON? { json[name] }

    func text(_ name: String) throws(Refusal) -> String {
        guard let text = json[name]?.text, !text.isEmpty else { throw .malformed("\(place).\(name) is not a text.") }
        return text
    }

    func uuid(_ name: String) throws(Refusal) -> String {
        let text = try text(name)
        guard isUUID(text) else { throw .malformed("\(place).\(name) is not a UUID.") }
        return text
    }

    func choice(_ name: String, _ known: [String]) throws(Refusal) -> String {
        let text = try text(name)
        guard known.contains(text) else { throw .malformed("\(place).\(name) is none of \(known.joined(separator: ", ")).") }
        return text
    }

    func count(_ name: String) throws(Refusal) -> Int {
        guard let number = json[name]?.integer, number >= 1 else {
            throw .malformed("\(place).\(name) is not a whole number from 1 on.")
        }
        return number
    }
}

/// The 36-character form, any letter case.
func isUUID(_ text: String) -> Bool {
    let units = Array(text.utf8)
    guard units.count == 36 else { return false }
    return units.enumerated().allSatisfy { index, unit in
        switch index {
        case 8, 13, 18, 23: unit == UInt8(ascii: "-")
        default: 48...57 ~= unit || 97...102 ~= unit || 65...70 ~= unit
        }
    }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
