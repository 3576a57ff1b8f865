import DeliveryMachine

extension Row {
    /// Every row of the status table, and what comes with a status.
    static let statuses: [Row] = plainStatuses + retryAfter + accepted + redirects + credentials

    private static func status(
        _ status: Int, _ expected: Expected, _ more: String = "", headers: [String] = [], body: String = ""
    ) -> Row {
        let fields = headers.map { "\"\($0)\"" }.joined(separator: ",")
        return Row(
            "status \(status)\(more)", "status", #"{"status":\#(status),"headers":[\#(fields)],"body":"\#(body)"}"#, expected)
    }

    private static let plainStatuses: [Row] =
        [400, 411, 413, 414, 415, 431, 451, 402, 406, 412, 416, 417, 418, 426, 428, 499].map {
            status($0, .parks(.refusedByEndpoint, .requestRefused))
        } + [403, 404, 405, 407, 501, 511].map { status($0, .pauses(.endpointRefuses)) }
        + [408, 423, 424, 425].map { status($0, .retries(.endpointBusy)) }
        + [500, 502, 504, 505, 506, 507, 508, 510, 520, 521, 522, 523, 524, 529, 530, 598, 599, 600, 777, 999].map {
            status($0, .retries(.endpointFailed))
        } + [429, 503].map { status($0, .retries(.throttled)) }
        + [201, 203, 204, 205, 206, 207, 226, 299].map { status($0, .broken(.notJSON), ", without a body") }
        + [
            status(409, .retries(.stillInProgress)), status(421, .retries(.misdirected)),
            status(422, .parks(.keyReused, .keyReused)), status(410, Expected(.answered, .endpointGone, .disables, spent: 0)),
            status(500, .retries(.endpointFailed), ", whatever its body says", body: #"{\"outcome\":\"verified\"}"#),
            Row("201 with the outcome", "body", #"{"is":"surrounded-by-blanks","status":201}"#, .yes, hasOwnAnswer: false),
            Row("206 with the outcome", "body", #"{"is":"surrounded-by-blanks","status":206}"#, .yes, hasOwnAnswer: false),
        ]

    private static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"

    private static let retryAfter: [Row] = [
        status(429, .retries(.throttled, atLeast: 3_000), ", seconds", headers: ["Retry-After: 3000"]),
        status(503, .retries(.throttled, atLeast: 3_000), ", seconds", headers: ["Retry-After: 3000"]),
        status(500, .retries(.endpointFailed, atLeast: 3_000), ", seconds", headers: ["retry-after:3000"]),
        status(409, .retries(.stillInProgress, atLeast: 3_000), ", seconds", headers: ["Retry-After: 3000"]),
        status(
            429, .retries(.throttled, atLeast: 3_600), ", date", headers: [date, "Retry-After: Sun, 06 Nov 1994 09:49:37 GMT"]),
        status(
            429, .retries(.throttled, atLeast: 3_600), ", RFC 850 date",
            headers: [date, "Retry-After: Sunday, 06-Nov-94 09:49:37 GMT"]),
        status(
            429, .retries(.throttled, atLeast: 3_600), ", asctime date",
            headers: [date, "Retry-After: Sun Nov  6 09:49:37 1994"]),
        status(429, .retries(.throttled), ", past date", headers: [date, "Retry-After: Sun, 06 Nov 1994 07:49:37 GMT"]),
        status(429, .retries(.throttled, atLeast: 86_400), ", huge", headers: ["Retry-After: 99999999999999999999"]),
        status(
            503, .retries(.throttled, atLeast: 86_400), ", a date far away",
            headers: [date, "Retry-After: Fri, 06 Nov 9994 08:49:37 GMT"]),
        status(429, .retries(.throttled), ", negative", headers: ["Retry-After: -5"]),
        status(429, .retries(.throttled), ", words", headers: ["Retry-After: tomorrow"]),
        status(429, .retries(.throttled), ", a number with an exponent", headers: ["Retry-After: 1e9"]),
        status(429, .retries(.throttled), ", empty", headers: ["Retry-After:"]),
        status(
            429, .retries(.throttled, atLeast: 4_000), ", twice", headers: ["Retry-After: 7", "Retry-After: 4000"]),
    ]

    private static func accepted(
        _ name: String, headers: [String], body: String = "{}", _ first: Expected = .accepted, then: [Step] = [],
        settings: @escaping @Sendable (inout TransferSettings) -> Void = { _ in }
    ) -> Row {
        let fields = headers.map { "\"\($0)\"" }.joined(separator: ",")
        var row = Row("202 \(name)", "accepted", #"{"headers":[\#(fields)],"body":"\#(body)"}"#, first)
        row.steps[0].times = 1
        row.steps += then
        row.settings = settings
        return row
    }

    private static func poll(_ status: Int, _ expected: Expected, headers: String = "") -> [Step] {
        [Step(behaviour: "status", options: #"{"status":\#(status),"headers":[\#(headers)]}"#, times: 1, expected: expected)]
    }

    private static let relative = ["Location: /status/{key}"]

    private static let accepted: [Row] = [
        accepted("with a relative address", headers: relative),
        accepted("with an address beside its own", headers: ["Location: status/{key}"]),
        accepted("with an address in its body", headers: [], body: #"{\"status_url\":\"/status/{key}\"}"#),
        accepted("without an address", headers: [], .broken(.noStatusAddress)),
        accepted(
            "with an address of another origin", headers: ["Location: {other}/status/{key}"], .broken(.foreignStatusAddress)),
        accepted("with a file for an address", headers: ["Location: file:///etc/passwd"], .broken(.foreignStatusAddress)),
        accepted("with a script for an address", headers: ["Location: javascript:alert(1)"]),
        accepted("with an address that never ends", headers: ["Location: /" + String(repeating: "x", count: 9_000)]),
        accepted("with an empty address", headers: ["Location:"], .broken(.foreignStatusAddress)),
        accepted(
            "then 404", headers: relative,
            then: poll(404, Expected(.answered, .didNotArrive, .waits(0), spent: 1))),
        accepted(
            "then 410", headers: relative,
            then: poll(410, Expected(.answered, .didNotArrive, .waits(0), spent: 1))),
        accepted("then 500", headers: relative, then: poll(500, .retries(.statusUnanswered))),
        accepted(
            "then 503", headers: relative, then: poll(503, .retries(.throttled, atLeast: 900), headers: #""Retry-After: 900""#)),
        accepted("then 401", headers: relative, then: poll(401, .pauses(.unauthorized))),
        accepted("then 302", headers: relative, then: poll(302, .pauses(.redirected), headers: #""Location: {other}/""#)),
        accepted(
            "then HTML", headers: relative,
            then: [Step(behaviour: "body", options: #"{"is":"html"}"#, times: 1, expected: .broken(.notJSON))]
        ),
        accepted(
            "then the outcome of another", headers: relative,
            then: [
                Step(behaviour: "body", options: #"{"is":"other-capture"}"#, times: 1, expected: .broken(.foreignAnswer))
            ]),
        accepted("then 405", headers: relative, then: poll(405, .retries(.statusUnavailable))),
        accepted("then 400", headers: relative, then: poll(400, .retries(.statusUnavailable))),
        accepted("then 409", headers: relative, then: poll(409, .retries(.stillInProgress))),
        accepted("then 204", headers: relative, then: poll(204, .broken(.notJSON))),
        accepted(
            "then an answer cut short", headers: relative,
            then: [Step(behaviour: "short-body", times: 1, expected: .lost)]),
        accepted(
            "then a stall", headers: relative,
            then: [Step(behaviour: "stall-after-headers", times: 1, expected: .lost)],
            settings: { $0.totalTimeoutMilliseconds = 1_200 }),
        accepted(
            "then a lost answer", headers: relative,
            then: [Step(behaviour: "reset-before-reading", times: 0, expected: .lost)]),
        accepted(
            "again and again", headers: relative,
            then: (0..<4).map { _ in
                Step(
                    behaviour: "accepted", options: #"{"headers":["Location: /status/{key}"]}"#, times: 1, expected: .accepted)
            }),
        accepted(
            "and another address of another origin later", headers: relative,
            then: [
                Step(
                    behaviour: "accepted", options: #"{"headers":["Location: {other}/status/{key}"]}"#, times: 1,
                    expected: .broken(.foreignStatusAddress))
            ]),
    ]

    private static let redirects: [Row] =
        [300, 301, 302, 303, 304, 305, 307, 308].map {
            status($0, .pauses(.redirected), headers: ["Location: {other}/elsewhere"])
        } + [
            status(307, .pauses(.redirected), ", to a private address", headers: ["Location: http://10.0.0.1/"]),
            status(302, .pauses(.redirected), ", to a file", headers: ["Location: file:///etc/passwd"]),
            status(302, .pauses(.redirected), ", to nowhere"),
        ]

    private static let credentials: [Row] = [
        status(401, .pauses(.unauthorized)),
        status(401, .pauses(.unauthorized), ", with a challenge", headers: [#"WWW-Authenticate: Basic realm=\"x\""#]),
        status(401, .pauses(.unauthorized), ", with NTLM", headers: ["WWW-Authenticate: NTLM", "WWW-Authenticate: Negotiate"]),
        status(407, .pauses(.endpointRefuses), ", with a challenge", headers: ["Proxy-Authenticate: Basic"]),
        status(417, .parks(.refusedByEndpoint, .requestRefused), ", as an expectation that was never made"),
    ]
}
