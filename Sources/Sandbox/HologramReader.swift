/// Reads the hologram's body: one JSON object of exactly four members (S77). The video's text is decoded as it streams
/// in and left out of the frame, which is small and parsed at the end.
struct HologramReader: BodyReader {
    private static let frameLimit = 64 * 1024
    private static let members: Set<String> = ["video", "rotate", "cardType", "transactionId"]

    private enum Stage {
        case outside
        case string(start: Int, isEscaped: Bool)
        case video
    }

    private var frame: [UInt8] = []
    private var stage = Stage.outside
    private var depth = 0
    /// The last string and whether a colon followed it: the name of the member whose value comes.
    private var lastString: Range<Int>?
    private var videoComes = false
    private var video = Base64Reader()
    private var videoCount = 0
    private var refusal: Refusal?

    init() {}

    mutating func receive(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, refusal == nil {
            let byte = bytes[index]
            index &+= 1
            if case .video = stage, byte != 34 { video.append(byte) } else { receiveFrame(byte) }
        }
    }

    private mutating func receiveFrame(_ byte: UInt8) {
        frame.append(byte)
        if frame.count > Self.frameLimit {
            refusal = .malformed("The body holds over 64 KiB beside the video.")
            return
        }
        switch stage {
        case .video: stage = .outside
        case .string(let start, let isEscaped):
            if isEscaped {
                stage = .string(start: start, isEscaped: false)
            } else if byte == UInt8(ascii: "\\") {
                stage = .string(start: start, isEscaped: true)
            } else if byte == UInt8(ascii: "\"") {
                lastString = start..<frame.count - 1
                stage = .outside
            }
        case .outside: receiveOutside(byte)
        }
    }

    private mutating func receiveOutside(_ byte: UInt8) {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: break
        case UInt8(ascii: ":"):
            videoComes = depth == 1 && lastString.map { frame[$0].elementsEqual("video".utf8) } ?? false
        case UInt8(ascii: "\"") where videoComes:
            videoComes = false
            videoCount += 1
            stage = .video
        case UInt8(ascii: "\""): stage = .string(start: frame.count, isEscaped: false)
        default:
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            lastString = nil
            videoComes = false
        }
    }

    mutating func finish() throws(Refusal) -> Submission {
        if let refusal { throw refusal }
        let json: SandboxJSON
        do { json = try SandboxJSON(reading: frame) } catch {
            throw .malformed("The body is not JSON: \(error.reason), at byte \(error.position) beside the video.")
        }
        guard case .object(let members) = json, Set(members.map(\.name)) == Self.members else {
            throw .malformed("The body is not an object of exactly video, rotate, cardType and transactionId.")
        }
        guard videoCount == 1, json["video"] == .string("") else {
            throw .malformed("'video' is not a string under its plain name.")
        }
        guard video.isComplete else { throw .malformed("'video' is not padded base64 without line breaks, or it is empty.") }
        guard case .number? = json["rotate"] else { throw .malformed("'rotate' is not a number.") }
        guard let cardType = json["cardType"]?.text, ["NEW-ID", "NEW-DRIVER", "INTERNATIONAL"].contains(cardType) else {
            throw .malformed("'cardType' is none of NEW-ID, NEW-DRIVER, INTERNATIONAL.")
        }
        guard let transaction = json["transactionId"]?.text, !transaction.isEmpty else {
            throw .malformed("'transactionId' is not a text.")
        }
        let digest = video.digest.finish()
        var whole = SHA256()
        whole.update(frame)
        whole.update(digest)
        return Submission(
            destination: .hologram, sessionID: nil, piece: "hologram", captureID: nil, digest: hexadecimal(digest),
            bytes: video.bytes, fingerprint: hexadecimal(whole.finish()))
    }
}
