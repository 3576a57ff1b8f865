import CaptureLedger
import DeliveryMachine
import SystemCalls

/// Tokens of RFC 6749 §4.4, kept between runs and renewed by one process for all.
final class OAuthTokens: TokenSource {
    private let oauth: OAuth2Settings
    private let endpoint: TokenEndpoint
    private let cache: TokenCache
    private let secret: KeptSecret
    private let clock: LedgerClock
    private let fingerprint: ([UInt8]) -> String
    /// From 0 to 1, drawn once: processes that share a token do not all want to renew it at one moment.
    private let jitter: Double
    private let wait: CredentialWait
    private var current: TokenCache.Token?

    init(
        _ oauth: OAuth2Settings, of destination: DestinationSettings, _ ledger: Ledger, endpoint: TokenEndpoint,
        jitter: Double = .random(in: 0...1), _ wait: CredentialWait
    ) {
        self.oauth = oauth
        self.endpoint = endpoint
        cache = TokenCache(ledger, destination: destination.name)
        secret = KeptSecret(
            oauth.clientSecret, at: "\(destination.place).auth.oauth2.client_secret", ledger.secrets, wait)
        clock = ledger.clock
        fingerprint = { ledger.fingerprint(of: $0) }
        self.jitter = jitter
        self.wait = wait
    }

    func token() throws(DeliveryFault) -> String {
        let origin = fingerprint(try origin())
        if let current, current.origin == origin, !isDue(current) { return current.text }
        return try obtain(origin, insteadOf: nil).text
    }

    func renew() throws(DeliveryFault) -> Bool {
        guard let refused = current?.text else { return false }
        return try obtain(fingerprint(try origin()), insteadOf: refused).text != refused
    }

    func fingerprintMaterial() -> [UInt8] { (try? origin()) ?? [] }

    /// What a token follows from.
    private func origin() throws(DeliveryFault) -> [UInt8] {
        let parts = [
            oauth.tokenURL, oauth.clientID, try clientSecret(), oauth.clientAuthentication.rawValue, oauth.scope ?? "",
            oauth.audience ?? "",
        ]
        return Array(parts.joined(separator: "\n").utf8)
    }

    private func clientSecret() throws(DeliveryFault) -> String {
        do throws(SettingsProblem) { return try secret.line() } catch { throw DeliveryFault(error) }
    }

    /// Some way ahead of the end: a minute or two, or a part of a short life.
    private func isDue(_ token: TokenCache.Token) -> Bool {
        guard let left = token.remainingMilliseconds else { return true }
        let margin = min(60_000, Double(token.lifetimeMilliseconds) / 6) * (1 + jitter)
        return Double(left) < margin
    }

    /// One process asks, under the lock; the others find what it stored.
    private func obtain(_ origin: String, insteadOf refused: String?) throws(DeliveryFault) -> TokenCache.Token {
        if refused == nil, let known = cache.token(origin: origin), !isDue(known) { return keep(known) }
        guard let lock = try kept({ () throws(SystemError) in try cache.lock(isOver: wait.isOver) }) else {
            throw DeliveryFault(
                .credentialUnavailable, message: "Another process has been renewing the token for too long.",
                remedy: "Look for a sync that hangs; the next run tries again.")
        }
        defer { _ = lock }
        let known = cache.token(origin: origin)
        if let known, known.text != refused, !isDue(known) { return keep(known) }
        do throws(DeliveryFault) {
            let token = try request(origin)
            try kept { () throws(SystemError) in try cache.store(token) }
            return keep(token)
        } catch {
            // what still counts is better than nothing
            if let known, known.text != refused, known.remainingMilliseconds ?? 0 > 0 { return keep(known) }
            throw error
        }
    }

    private func kept<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(DeliveryFault) -> Value {
        do throws(SystemError) { return try body() } catch {
            throw DeliveryFault(
                .credentialUnavailable, message: "The ledger's credentials folder cannot be used: \(error.code.rawValue).",
                remedy: "Check the folder's permissions and its disk's free space.")
        }
    }

    private func keep(_ token: TokenCache.Token) -> TokenCache.Token {
        current = token
        return token
    }

    private func request(_ origin: String) throws(DeliveryFault) -> TokenCache.Token {
        let boottime = SystemClock.boottimeNanoseconds() / 1_000_000
        let now = clock.nowMilliseconds()
        let answer = try endpoint.ask(oauth, clientSecret: try clientSecret(), isOver: wait.isOver)
        return TokenCache.Token(
            text: answer.token, origin: origin, lifetimeMilliseconds: answer.lifetimeMilliseconds, obtainedAtMilliseconds: now,
            obtainedAtBoottimeMilliseconds: boottime, bootID: TokenCache.bootID)
    }
}
