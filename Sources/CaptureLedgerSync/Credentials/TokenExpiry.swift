import CaptureLedger
import Cryptography
import SessionDomain

/// When tokens end, as far as they say so themselves.
enum TokenExpiry {
    /// `exp` of a JWT (RFC 7519 §4.1.4). Nothing is verified: it is the endpoint's business whether a token is any good.
    static func ofJWT(_ token: String) -> Int64? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(parts[1]), let claims = try? JSONValue.parse(payload),
            let seconds = claims["exp"]?.asDouble, (0...253_402_300_799).contains(seconds)
        else { return nil }
        return Int64(seconds * 1000)
    }

    /// From files and the token cache; commands are not run for it.
    static func known(of destination: DestinationSettings, in ledger: Ledger) -> [CredentialExpiry] {
        var result: [CredentialExpiry] = []
        func add(_ what: CredentialExpiry.What, _ time: Int64?) {
            guard let time else { return }
            result.append(CredentialExpiry(destination: destination.name, what: what, expiresAtMilliseconds: time))
        }
        func jwt(_ source: SecretSource?) -> Int64? {
            guard let source, ledger.secrets.file(of: source) != nil else { return nil }
            return (try? ledger.secrets.line(source, at: "")).flatMap(ofJWT)
        }
        switch destination.auth.token {
        case .bearer(let current, let next):
            add(.bearerToken, jwt(current))
            add(.nextBearerToken, jwt(next))
        case .oauth2: add(.oauthToken, TokenCache(ledger, destination: destination.name).anyToken()?.expiresAtMilliseconds)
        case nil: break
        }
        return result
    }
}
