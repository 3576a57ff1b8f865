import CaptureLedger
import Cryptography
import CurlTransport
import DeliveryMachine
import SessionDomain
import SystemCalls

/// One request for a token (RFC 6749 §4.4.2), over the same transport and under the same rules as deliveries.
struct TokenEndpoint {
    struct Answer {
        let token: String
        let lifetimeMilliseconds: Int64
    }

    private static let limitMilliseconds = 30_000
    /// Where the endpoint says nothing (RFC 6749 §5.1).
    private static let usualLifetimeMilliseconds: Int64 = 300_000

    private let settings: TransferSettings
    private let destinationURL: String
    private let clock: LedgerClock

    init(_ destination: Destination, clock: LedgerClock) {
        var settings = destination.transfer
        settings.bandwidth = nil
        settings.answerLimitBytes = 64 << 10
        settings.connectTimeoutMilliseconds = min(settings.connectTimeoutMilliseconds, 10_000)
        settings.totalTimeoutMilliseconds = min(settings.totalTimeoutMilliseconds, Self.limitMilliseconds)
        self.settings = settings
        destinationURL = destination.url
        self.clock = clock
    }

    /// - Parameter isOver: asked several times a second; the answer is not waited for any longer once that is so.
    /// - Throws: `credential_unavailable`; what the endpoint said is not in it.
    func ask(
        _ oauth: OAuth2Settings, clientSecret: String, isOver: () -> Bool = { false }
    ) throws(DeliveryFault) -> Answer {
        var form = [("grant_type", "client_credentials")]
        if let scope = oauth.scope { form.append(("scope", scope)) }
        if let audience = oauth.audience { form.append(("audience", audience)) }
        var headers = [Header("Content-Type", "application/x-www-form-urlencoded")]
        switch oauth.clientAuthentication {
        case .basic:
            let pair = Self.encode(oauth.clientID) + ":" + Self.encode(clientSecret)
            headers.append(Header("Authorization", "Basic " + Base64.encode(Array(pair.utf8))))
        case .post: form += [("client_id", oauth.clientID), ("client_secret", clientSecret)]
        }
        let text = form.map { Self.encode($0.0) + "=" + Self.encode($0.1) }.joined(separator: "&")
        let result = try exchange(oauth.tokenURL, headers, Array(text.utf8), isOver)
        if let fault = result.localFault {
            throw DeliveryFault(.credentialUnavailable, message: "The token endpoint: \(fault.message)", remedy: fault.remedy)
        }
        guard result.curlCode == 0 else {
            throw Self.failed("could not be asked (libcurl's code \(result.curlCode))", "Run sync probe to see why.")
        }
        guard result.status == 200 else {
            throw Self.failed(
                "answered \(result.status)", "Check client_id, the client secret and the scope with its operator.")
        }
        return try Self.read(result.body)
    }

    private func exchange(
        _ url: String, _ headers: [Header], _ body: [UInt8], _ isOver: () -> Bool
    ) throws(DeliveryFault) -> TransferResult {
        var settings = settings
        if Origin(url) != Origin(destinationURL) {
            // who we are to the destination is nobody else's business, and its key is not another host's
            settings.clientCertificateFile = nil
            settings.clientKeyFile = nil
            settings.pinnedPublicKey = nil
        }
        let transport = try CurlMultiTransport(now: clock.nowMilliseconds)
        let words = SecureRandom.words()
        try transport.start(
            TransferRequest(
                token: DeliveryID(UUID128(high: words.0, low: words.1)), method: .post, url: url, headers: headers,
                body: RequestBody(
                    FrozenBody(
                        contentType: "", head: body, mediaForm: .raw, mediaBytes: 0, mediaSHA256: [], tail: []),
                    media: NoMedia()),
                settings: settings))
        while !isOver() {
            if let result = try transport.wait(milliseconds: 100).first { return result }
        }
        throw Self.failed("was not waited for", "Run sync probe to see why it takes so long.")
    }

    static func read(_ body: [UInt8]) throws(DeliveryFault) -> Answer {
        guard let json = try? JSONValue.parse(body), let token = json["access_token"]?.asString,
            !token.isEmpty, token.utf8.count <= 16 << 10, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw failed("answered without a token", "Check its address in token_url.") }
        guard json["token_type"]?.asString?.lowercased() ?? "bearer" == "bearer" else {
            throw failed("gives another kind of token than bearer", "Ask its operator for bearer tokens.")
        }
        let written = json["expires_in"]
        let seconds = written?.asDouble ?? written?.asString.flatMap { Double($0) }
        guard let seconds, seconds > 0 else { return Answer(token: token, lifetimeMilliseconds: usualLifetimeMilliseconds) }
        return Answer(token: token, lifetimeMilliseconds: Int64(min(seconds, 366 * 86_400) * 1000))
    }

    private static func failed(_ what: String, _ remedy: String) -> DeliveryFault {
        DeliveryFault(.credentialUnavailable, message: "The token endpoint \(what).", remedy: remedy)
    }

    /// `application/x-www-form-urlencoded`, which RFC 6749 also asks for inside HTTP basic authentication.
    static func encode(_ text: String) -> String {
        var units: [UInt8] = []
        for unit in text.utf8 {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                units.append(unit)
            default:
                let digits = String(unit, radix: 16, uppercase: true)
                units += Array("%".utf8) + Array((digits.utf8.count == 1 ? "0" + digits : digits).utf8)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }
}

/// A body without media.
final class NoMedia: MediaReader {
    var byteCount: Int64 { 0 }
    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> { [] }
}
