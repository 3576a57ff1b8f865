import LocalHTTP

// What goes over the wire: answers, their spoilt forms, and problem details (RFC 9457).

extension SandboxScenario.Answer {
    static func byDefault(_ submission: Submission) -> Self {
        submission.destination == .hologram ? .score("0.93") : .verified(payload: nil, dropPieces: [])
    }

    /// The body of a 200 for a submission.
    func json(piece: String, captureID: String?) -> SandboxJSON {
        var members: [SandboxJSON.Member]
        switch self {
        case .verified(let payload, let dropPieces):
            members = [
                .init("outcome", "verified"), .init("capture_id", .optional(captureID)),
                .init("payload", payload ?? defaultPayload(for: piece)),
            ]
            members += Self.member(dropPieces)
        case .rejected(let reason, let staffReason, let dropPieces):
            members = [
                .init("outcome", "rejected"), .init("capture_id", .optional(captureID)), .init("reason", .string(reason)),
            ]
            if let staffReason { members.append(.init("staff_reason", .string(staffReason))) }
            members += Self.member(dropPieces)
        case .failed(let message):
            members = [
                .init("outcome", "failed"), .init("capture_id", .optional(captureID)), .init("message", .string(message)),
            ]
        case .score(let digits):
            members = [.init("controlResults", [["entryType": "HOLOGRAM", "entryScore": .number(digits)]])]
        case .raw(let json): return json
        }
        return .object(members)
    }

    private static func member(_ dropPieces: [String]) -> [SandboxJSON.Member] {
        dropPieces.isEmpty ? [] : [.init("drop_pieces", .array(dropPieces.map { .string($0) }))]
    }
}

extension HTTPResponse {
    static func json(_ value: SandboxJSON, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "application/json", text: value.compact, headers: headers)
    }

    static func problem(_ refusal: Refusal) -> HTTPResponse {
        let body: SandboxJSON = [
            "type": .string("urn:capture-ledger:problem:\(refusal.code)"), "title": .string(title(refusal.status)),
            "status": .integer(refusal.status), "detail": .string(refusal.detail),
        ]
        var headers: HTTPHeaders = [:]
        if refusal.status == 401 { headers.add("WWW-Authenticate", "Bearer") }
        if refusal.status == 409 { headers.add("Retry-After", "1") }
        return HTTPResponse(
            status: refusal.status, contentType: "application/problem+json", text: body.compact, headers: headers)
    }

    static func scripted(_ status: Int, _ fields: [SandboxScenario.HeaderField]) -> HTTPResponse {
        var response = problem(
            Refusal(status: status, code: "scripted", detail: "The scenario asks for this status."))
        if status == 204 || status == 304 { response = HTTPResponse(status: status) }
        for field in fields { response.headers.add(field.name, field.value) }
        return response
    }

    /// A 200 that is not the answer, in place of one that is.
    func spoilt(_ body: SandboxScenario.Body) -> HTTPResponse {
        switch body {
        case .html:
            HTTPResponse(
                status: 200, contentType: "text/html; charset=utf-8",
                text: "<!doctype html><title>Welcome</title><p>Sign in to use this network.</p>")
        case .empty: HTTPResponse(status: 200, headers: ["Content-Type": "application/json"])
        case .wrongSchema: .json(["status": "ok"])
        case .truncated: cutShort()
        case .wrongCapture:
            .json(
                [
                    "outcome": "verified", "capture_id": "00000000-0000-4000-8000-000000000000",
                    "payload": defaultPayload(for: "passport_front"),
                ])
        }
    }

    /// Half of the body, under the length of the whole.
    func cutShort() -> HTTPResponse {
        guard case .bytes(let bytes) = body else { return self }
        return HTTPResponse(
            status: status, headers: headers, body: .truncated(Array(bytes.prefix(bytes.count / 2)), declaring: bytes.count))
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 400: "Malformed request"
        case 401: "Unauthorized"
        case 404: "Not found"
        case 405: "Method not allowed"
        case 409: "In progress"
        case 411: "Length required"
        case 415: "Unsupported media type"
        case 422: "Key used with another body"
        default: "Status \(status)"
        }
    }
}
