import LocalHTTP

/// The head of a submission, checked; what is wrong with it is answered after its body was read.
struct RequestHeaders: Sendable {
    let key: String?
    let traceparent: String?
    let reader: Result<any BodyReader, Refusal>

    init(_ head: HTTPRequestHead, _ destination: SandboxDestination, authorization: String?) {
        key = head.headers["Idempotency-Key"].flatMap { isUUID($0) ? $0.lowercased() : nil }
        traceparent = head.headers["traceparent"]
        do throws(Refusal) {
            if let authorization, head.headers.all("Authorization") != [authorization] {
                throw Refusal(status: 401, code: "unauthorized", detail: "The Authorization is not the one that is asked for.")
            }
            try Self.checkCommon(head)
            reader = .success(try Self.reader(head, destination))
        } catch {
            reader = .failure(error)
        }
    }

    private static func checkCommon(_ head: HTTPRequestHead) throws(Refusal) {
        guard head.contentLength != nil else {
            throw Refusal(status: 411, code: "length_required", detail: "The length of the body is not declared.")
        }
        let keys = head.headers.all("Idempotency-Key")
        guard keys.count == 1, isUUID(keys[0]) else { throw .malformed("Idempotency-Key is not one UUID.") }
        let traces = head.headers.all("traceparent")
        guard traces.isEmpty || (traces.count == 1 && isTraceparent(traces[0])) else {
            throw .malformed("traceparent is not that of W3C Trace Context, version 00.")
        }
        guard head.headers.all("Content-Type").count == 1 else { throw .malformed("Content-Type is not given once.") }
        guard head.headers.all("Content-Encoding").isEmpty else {
            throw Refusal(status: 415, code: "unsupported_media_type", detail: "The body is encoded.")
        }
    }

    private static func reader(
        _ head: HTTPRequestHead, _ destination: SandboxDestination
    ) throws(Refusal) -> any BodyReader {
        let type = head.headers["Content-Type"] ?? ""
        switch destination {
        case .verifier:
            guard type.lowercased().hasPrefix("multipart/form-data;") else {
                throw Refusal(
                    status: 415, code: "unsupported_media_type", detail: "The content type is not multipart/form-data.")
            }
            guard let boundary = boundary(type) else {
                throw .malformed("The content type does not name a boundary of 1 to 70 characters, and nothing else.")
            }
            return MultipartReader(boundary: boundary)
        case .hologram:
            guard ["application/json", "application/json; charset=utf-8"].contains(type.lowercased()) else {
                throw Refusal(status: 415, code: "unsupported_media_type", detail: "The content type is not application/json.")
            }
            return HologramReader()
        }
    }

    /// RFC 2046 §5.1.1: 1 to 70 of its characters, quoted where a token could not hold them, no space at the end.
    private static func boundary(_ type: String) -> String? {
        var value = type.dropFirst("multipart/form-data;".count).drop { $0 == " " }
        guard value.lowercased().hasPrefix("boundary=") else { return nil }
        value = value.dropFirst("boundary=".count)
        let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
        if isQuoted { value = value.dropFirst().dropLast() }
        let known = isQuoted ? "'()+_,-./:=? " : "'+_-."
        let fits = value.utf8.allSatisfy { unit in
            48...57 ~= unit || 65...90 ~= unit || 97...122 ~= unit || known.utf8.contains(unit)
        }
        guard fits, 1...70 ~= value.utf8.count, value.last != " " else { return nil }
        return String(value)
    }

    private static func isTraceparent(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [2, 32, 16, 2] && parts[0] == "00"
            && parts.allSatisfy { $0.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 } }
            && parts[1...2].allSatisfy { $0.contains { $0 != "0" } }
    }
}
