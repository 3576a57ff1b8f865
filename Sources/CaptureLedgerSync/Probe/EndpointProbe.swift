package import CaptureLedger
import Cryptography
import CurlTransport
import DeliveryMachine
import SessionDomain
import SystemCalls

/// Looks at one destination: everything that a delivery needs, short of delivering.
struct EndpointProbe {
    /// Longer ahead than this nobody needs to hear of an end.
    static let expiryHorizonMilliseconds: Int64 = 30 * 86_400_000
    /// Signatures and tokens are refused beyond it by many endpoints.
    private static let clockTolerance: Int64 = 60_000

    let ledger: Ledger
    let destination: Destination
    let limitMilliseconds: Int
    private var check: EndpointCheck

    init(_ ledger: Ledger, _ destination: Destination, limitMilliseconds: Int) {
        self.ledger = ledger
        self.destination = destination
        self.limitMilliseconds = limitMilliseconds
        let origin = Origin(destination.url)
        check = EndpointCheck(
            destination: destination.name.text,
            origin: origin.map { "\($0.scheme)://\($0.host):\($0.port)" } ?? "an address that is none")
    }

    mutating func run() -> EndpointCheck {
        let words = SecureRandom.words()
        var settings = destination.transfer
        settings.connectTimeoutMilliseconds = min(settings.connectTimeoutMilliseconds, limitMilliseconds)
        settings.totalTimeoutMilliseconds = limitMilliseconds
        settings.bandwidth = nil
        var request = TransferRequest(
            token: DeliveryID(UUID128(high: words.0, low: words.1)), method: .head, url: destination.url, headers: [],
            body: nil,
            settings: settings, needsNewConnection: true)
        do throws(DeliveryFault) {
            let authority = SettingsAuthority(ledger, destinations: [destination])
            request.headers = try authority.headers(for: request, to: destination)
            add(.credential, .good, hasCredential ? "The credential can be had." : "Requests carry no credential.")
        } catch {
            // the connection can be looked at all the same
            add(.credential, .failed, error.message, error.remedy)
        }
        do throws(DeliveryFault) { try exchange(request) } catch { add(.connection, .failed, error.message, error.remedy) }
        lookAtExpiries()
        for step in EndpointCheck.Step.allCases where !check.findings.contains(where: { $0.step == step }) {
            add(step, .skipped, "Not looked at.")
        }
        let order = EndpointCheck.Step.allCases
        check.findings.sort { order.firstIndex(of: $0.step)! < order.firstIndex(of: $1.step)! }
        return check
    }

    private var hasCredential: Bool {
        let auth = ledger.settings.destination(destination.name.text)?.auth
        return auth?.token != nil || auth?.signature != nil || !destination.headers.isEmpty
    }

    private mutating func exchange(_ request: TransferRequest) throws(DeliveryFault) {
        let clock = ledger.clock
        let transport = try CurlMultiTransport(now: clock.nowMilliseconds, showsPeers: true)
        try transport.start(request)
        var results: [TransferResult] = []
        while results.isEmpty { results = try transport.wait(milliseconds: 1_000) }
        let result = results[0]
        let peer = transport.peers[result.token]
        check.address = peer?.address
        guard let step = connected(result) else { return }
        check.status = step
        let isSecure = Origin(destination.url)?.scheme == "https"
        add(.connection, .good, "Connected to \(peer?.address ?? "the endpoint").")
        add(.tls, .good, isSecure ? "The certificate is trusted." : "Plain http: nothing is protected on the way.")
        for time in (peer?.certificates.first.map { Certificate.all(inPEM: $0) } ?? []).compactMap(\.notAfterMilliseconds) {
            check.expiries.append(
                CredentialExpiry(
                    destination: destination.name.text, what: .serverCertificate, expiresAtMilliseconds: time))
        }
        lookAtClock(result)
        lookAtAnswer(step)
    }

    /// The status, or nil when there was no answer, which is then a finding.
    private mutating func connected(_ result: TransferResult) -> Int? {
        if let fault = result.localFault {
            add(fault.code == .untrusted ? .tls : .connection, .failed, fault.message, fault.remedy)
            return nil
        }
        if result.curlCode == 0, result.status >= 200 { return result.status }
        let explanation = CurlCode.explanation(
            result.curlCode, isSecure: Origin(destination.url)?.scheme == "https", usesProxy: destination.transfer.proxy != nil)
        add(explanation.isTLS ? .tls : .connection, .failed, explanation.message, explanation.remedy)
        return nil
    }

    private mutating func lookAtClock(_ result: TransferResult) {
        guard let text = result.headers.last(named: "date"),
            let seconds = HTTPDate.seconds(text)
        else { return add(.clock, .skipped, "The answer has no date.") }
        // the date is cut to seconds: half of one is the best guess
        let ours = (result.startedAtMilliseconds + result.finishedAtMilliseconds) / 2
        let difference = (seconds * 1000 + 500 - ours) / 1000 * 1000
        check.clockDifferenceMilliseconds = difference
        if abs(difference) <= Self.clockTolerance { return add(.clock, .good, "The clocks agree.") }
        add(
            .clock, .warning,
            "The endpoint's clock is \(abs(difference) / 1000) s \(difference > 0 ? "ahead of" : "behind") ours.",
            "Set this machine's clock (timedatectl status); if it is right, tell the endpoint's operator.")
    }

    private mutating func lookAtAnswer(_ status: Int) {
        switch status {
        case 401, 403:
            add(.answer, .failed, "The endpoint refused the credential (\(status)).", "Check the destination's auth settings.")
        case 407:
            add(.answer, .failed, "The proxy wants another credential.", "Check the destination's proxy_credential_file.")
        case 300...399:
            add(
                .answer, .failed, "The endpoint redirects (\(status)), which is never followed.",
                "Write its final address as url.")
        case 410: add(.answer, .failed, "The endpoint is gone (410).", "Ask its operator for the new address.")
        case 500...:
            add(.answer, .warning, "The endpoint fails (\(status)).", "Ask its operator; deliveries wait and try again.")
        case 404:
            add(
                .answer, .warning, "The endpoint does not know this address for HEAD (404).",
                "Check the path in the destination's url.")
        default: add(.answer, .good, "The endpoint answers (\(status)).")
        }
    }

    private mutating func lookAtExpiries() {
        check.expiries += ledger.credentialExpiries().filter { $0.destination == destination.name.text }
        let now = ledger.clock.nowMilliseconds()
        for expiry in check.expiries where expiry.what != .oauthToken {
            let left = expiry.expiresAtMilliseconds - now
            guard left < Self.expiryHorizonMilliseconds else { continue }
            let isCertificate = expiry.what != .bearerToken && expiry.what != .nextBearerToken
            let name = expiry.what.rawValue.split(separator: "_").joined(separator: " ")
            replace(
                isCertificate ? .tls : .credential, left > 0 ? .warning : .failed,
                left > 0 ? "The \(name) expires in \(left / 86_400_000) days." : "The \(name) has expired.",
                "Renew it; docs/credentials.md says how without a gap.")
        }
    }

    private mutating func add(
        _ step: EndpointCheck.Step, _ state: EndpointCheck.State, _ message: String, _ remedy: String = ""
    ) {
        check.findings.append(EndpointCheck.Finding(step: step, state: state, message: message, remedy: remedy))
    }

    /// A worse finding takes the place of a better one.
    private mutating func replace(
        _ step: EndpointCheck.Step, _ state: EndpointCheck.State, _ message: String, _ remedy: String
    ) {
        if check.findings.contains(where: { $0.step == step && ($0.state == .failed || $0.state == state) }) { return }
        check.findings.removeAll { $0.step == step }
        add(step, state, message, remedy)
    }
}

extension Ledger {
    /// Looks at every destination, or at those named, from a thread that may block: a HEAD request each, never a delivery.
    ///
    /// - Parameter limitMilliseconds: for each destination; a token endpoint has its own.
    package func probeDestinations(
        named names: [String]? = nil, limitMilliseconds: Int = 15_000
    ) -> [EndpointCheck] {
        var checks: [EndpointCheck] = []
        for destination in destinations() where names?.contains(destination.name.text) ?? true {
            var probe = EndpointProbe(self, destination, limitMilliseconds: limitMilliseconds)
            checks.append(probe.run())
        }
        return checks
    }
}
