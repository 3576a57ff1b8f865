/// Reads the verifier's body: `metadata`, then `media`, nothing else (docs/verifier-api.yaml, RFC 7578, RFC 2046 §5.1).
struct MultipartReader: BodyReader {
    private enum Stage {
        case opening, metadataHeaders, metadata, betweenParts, mediaHeaders, media, ending
    }

    private static let headerLimit = 2048
    private static let metadataLimit = 64 * 1024

    private let opening: [UInt8]
    private let delimiter: [UInt8]
    private var stage = Stage.opening
    private var collected: [UInt8] = []
    /// How much of the delimiter the last bytes match. A carriage return occurs in it only at the front.
    private var matched = 0
    private var frameDigest = SHA256()
    private var mediaDigest = SHA256()
    private var mediaBytes = 0
    private var metadata: Metadata?
    private var mediaHeaders: PartHeaders?
    private var refusal: Refusal?

    init(boundary: String) {
        opening = Array("--\(boundary)\r\n".utf8)
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    mutating func receive(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, refusal == nil {
            if stage == .media {
                index = receiveMedia(bytes, from: index)
            } else {
                frameDigest.append(bytes[index])
                do throws(Refusal) { try receiveFrame(bytes[index]) } catch { refusal = error }
                index += 1
            }
        }
    }

    mutating func finish() throws(Refusal) -> Submission {
        if let refusal { throw refusal }
        guard stage == .ending, let metadata, let mediaHeaders else {
            throw .malformed("The body ends before its closing boundary line.")
        }
        guard collected == Array("--\r\n".utf8) || collected == Array("--".utf8) else {
            throw .malformed("After the media comes something else than the closing boundary line.")
        }
        let digest = mediaDigest.finish()
        try metadata.check(mediaHeaders, bytes: mediaBytes, digest: hexadecimal(digest))
        var whole = SHA256()
        whole.update(frameDigest.finish())
        whole.update(digest)
        return Submission(
            destination: .verifier, sessionID: metadata.sessionID, piece: metadata.piece, captureID: metadata.captureID,
            digest: hexadecimal(digest), bytes: mediaBytes, fingerprint: hexadecimal(whole.finish()))
    }

    private mutating func receiveFrame(_ byte: UInt8) throws(Refusal) {
        collected.append(byte)
        switch stage {
        case .opening:
            guard byte == opening[collected.count - 1] else {
                throw .malformed("The body does not begin with the boundary line that its content type names.")
            }
            if collected.count == opening.count { enter(.metadataHeaders) }
        case .metadataHeaders:
            if try headersEnd() {
                let headers = try PartHeaders(collected)
                guard headers.disposition == "form-data; name=\"metadata\"" else {
                    throw .malformed("The first part is not form-data; name=\"metadata\".")
                }
                guard headers.contentType == "application/json" else {
                    throw .malformed("The part 'metadata' is not application/json.")
                }
                enter(.metadata)
            }
        case .metadata:
            guard collected.count <= Self.metadataLimit else { throw .malformed("The part 'metadata' is over 64 KiB.") }
            if byte == delimiter[matched] { matched += 1 } else { matched = byte == delimiter[0] ? 1 : 0 }
            if matched == delimiter.count {
                metadata = try Metadata(Array(collected.dropLast(delimiter.count)))
                enter(.betweenParts)
            }
        case .betweenParts:
            guard byte == (collected.count == 1 ? 13 : 10) else {
                throw .malformed("The part 'metadata' is not followed by a second part.")
            }
            if collected.count == 2 { enter(.mediaHeaders) }
        case .mediaHeaders:
            if try headersEnd() {
                mediaHeaders = try PartHeaders(collected)
                enter(.media)
            }
        case .ending:
            guard collected.count <= 4 else { throw .malformed("Something follows the closing boundary line.") }
        case .media: break
        }
    }

    private mutating func enter(_ next: Stage) {
        stage = next
        collected = []
        matched = 0
    }

    private func headersEnd() throws(Refusal) -> Bool {
        guard collected.count <= Self.headerLimit else { throw .malformed("The header lines of a part are over 2 KiB.") }
        return collected.suffix(4) == [13, 10, 13, 10]
    }

    /// Takes media bytes from `start` on and returns where it stopped.
    private mutating func receiveMedia(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if matched == 0 {
                let first = index
                while index < bytes.count, bytes[index] != 13 { index &+= 1 }
                mediaDigest.update(bytes.extracting(first..<index))
                mediaBytes += index - first
                if index == bytes.count { return index }
                matched = 1
                index += 1
            } else if bytes[index] == delimiter[matched] {
                matched += 1
                index += 1
                if matched == delimiter.count {
                    frameDigest.update(delimiter)
                    enter(.ending)
                    return index
                }
            } else {
                mediaDigest.update(Array(delimiter[..<matched]))
                mediaBytes += matched
                matched = 0
            }
        }
        return index
    }
}
