import DeliveryMachine

/// A short end to a transfer whose server says nothing.
private let impatient: @Sendable (inout TransferSettings) -> Void = { $0.totalTimeoutMilliseconds = 1_200 }

extension Row {
    init(
        _ name: String, _ behaviour: String, _ expected: Expected, tls: Expected? = nil, size: Int = 300,
        outrun: [Expected]? = nil, kind: Destination.Kind = .verifier,
        settings: @escaping @Sendable (inout TransferSettings) -> Void = { _ in }
    ) {
        self.init(name, behaviour, "{}", expected, tls: tls, size: size, kind: kind, settings: settings)
        self.outrun = outrun
    }

    init(
        _ name: String, _ behaviour: String, _ options: String, _ expected: Expected,
        reused: Expected? = nil, tls: Expected? = nil, size: Int = 300, kind: Destination.Kind = .verifier,
        hasOwnAnswer: Bool = true, settings: @escaping @Sendable (inout TransferSettings) -> Void = { _ in }
    ) {
        self.name = name
        self.kind = kind
        steps = [Step(behaviour: behaviour, options: options, expected: expected)]
        self.reused = reused.map { [$0] }
        self.tls = tls.map { [$0] }
        self.size = size
        self.hasOwnAnswer = hasOwnAnswer
        self.settings = settings
    }

    /// A server that is as it should be, and after it every way in which a connection can end.
    static let connections: [Row] =
        [
            Row("an honest server", "honest", .yes),
            Row("an honest server, two megabytes", "honest", .yes, size: 2 << 20),
            Row("reset before the request is read", "reset-before-reading", .lost),
            Row("closed before the request is read", "close-before-reading", .lost),
            Row("reset during the headers", "reset-during-headers", .lost),
            Row("reset in the middle of the body", "reset-mid-body", .lost, size: 2 << 20),
            Row("closed in the middle of the body", "close-mid-body", .lost, size: 2 << 20),
            Row("half closed before the body is read", "half-close-at-once", .lost),
            Row("F1 reset after the whole body, before the status", "reset-without-answer", .lost),
            Row("F1 closed after the whole body, before the status", "close-without-answer", .lost),
            Row("F1 reset after the status line", "reset-after-status-line", .lost),
            Row("F1 closed after the status line", "close-after-status-line", .lost),
            Row("F1 reset in the middle of the answer's headers", "reset-mid-headers", .lost),
            Row("F1 closed in the middle of the answer's headers", "close-mid-headers", .lost),
            Row("F1 reset after the answer's headers", "reset-after-headers", .lost),
            Row("F1 closed after the answer's headers", "close-after-headers", .lost),
            Row("F1 reset in the middle of the answer", "reset-mid-answer", .lost),
            Row("F1 closed in the middle of the answer", "close-mid-answer", .lost),
            Row("never reads", "never-reads", .lost, size: 2 << 20, settings: impatient),
            Row("stalls before the body is read", "stall-before-body", .lost, size: 2 << 20, settings: impatient),
            Row("too slow for the low-speed limit", "stall-without-answer", #"{"seconds":8}"#, .lost) {
                $0.lowSpeedSeconds = 1
                $0.totalTimeoutMilliseconds = 4_000
            },
            Row("reads slowly", "reads-slowly", .lost, size: 2 << 20, settings: impatient),
            Row("F1 stalls after the body", "stall-without-answer", .lost, settings: impatient),
            Row("F1 stalls after the status line", "stall-after-status-line", .lost, settings: impatient),
            Row("F1 stalls in the middle of the answer's headers", "stall-mid-headers", .lost, settings: impatient),
            Row("F1 stalls after the answer's headers", "stall-after-headers", .lost, settings: impatient),
            Row("F1 stalls in the middle of the answer", "stall-mid-answer", .lost, settings: impatient),
            Row("F1 answers a byte at a time, too slowly", "drip", .lost, settings: impatient),
            Row("answers a byte at a time, in time", "drip", #"{"pause":0.001}"#, .yes),
            Row("F1 answers after the client has given up", "late-answer", #"{"seconds":4}"#, .lost, settings: impatient),
        ] + handshakes

    private static func handshake(
        _ name: String, _ port: String, _ expected: Expected,
        settings: @escaping @Sendable (inout TransferSettings) -> Void = { _ in }
    ) -> Row {
        var row = Row(name, "honest", expected, settings: settings)
        row.port = port
        row.isFreshOnly = true
        return row
    }

    private static let handshakes: [Row] = [
        handshake("nobody listens", "closed", .notSent),
        handshake("a queue of connections that is full", "full", .notSent) { $0.connectTimeoutMilliseconds = 600 },
        handshake("authorities of our own that cannot be read", "tls", .untrusted) { $0.authorityFile = "/nowhere/ca.pem" },
        handshake("a client certificate that cannot be read", "tls", .untrusted) {
            $0.clientCertificateFile = "/nowhere/client.pem"
        },
        handshake("a certificate that has expired", "tls-expired", .untrusted),
        handshake("a certificate that is not valid yet", "tls-not-yet", .untrusted),
        handshake("a certificate of another name", "tls-other-name", .untrusted),
        handshake("a certificate of an unknown authority", "tls-unknown-authority", .untrusted),
        handshake("a certificate that signs itself", "tls-self-signed", .untrusted),
        handshake("TLS 1.1 and nothing newer", "tls-old", .untrusted),
        handshake("a handshake that stalls", "tls-stalls", .notSent) { $0.connectTimeoutMilliseconds = 600 },
        handshake("a handshake that is reset", "tls-resets", .handshake),
        handshake("plain HTTP where TLS is expected", "tls-speaks-plain", .handshake),
    ]
}
