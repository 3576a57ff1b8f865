/// What proves to a destination who is asking, as the settings describe it: where secrets are, never the secrets.
package struct AuthSettings: Sendable, Hashable {
    package enum Token: Sendable, Hashable {
        /// Sent as it is (RFC 6750). The second is tried once the first was refused: during a rotation both are valid at times.
        case bearer(SecretSource, next: SecretSource?)
        case oauth2(OAuth2Settings)
    }

    /// nil: requests carry no token.
    package var token: Token?
    /// nil: requests are not signed.
    package var signature: SignatureSettings?

    package init() {}
}

/// Client credentials of RFC 6749 §4.4.
package struct OAuth2Settings: Sendable, Hashable {
    /// How the client says who it is (RFC 6749 §2.3.1).
    package enum ClientAuthentication: String, Sendable, CaseIterable { case basic, post }

    package var tokenURL: String
    package var clientID: String
    package var clientSecret: SecretSource
    package var clientAuthentication = ClientAuthentication.basic
    package var scope: String?
    package var audience: String?

    package init(tokenURL: String, clientID: String, clientSecret: SecretSource) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}

/// Signatures in the Standard Webhooks form (`webhook-id`, `webhook-timestamp`, `webhook-signature`).
package struct SignatureSettings: Sendable, Hashable {
    package var secret: SecretSource
    /// During a rotation: every request then carries a signature of each.
    package var nextSecret: SecretSource?

    package init(secret: SecretSource, nextSecret: SecretSource? = nil) {
        self.secret = secret
        self.nextSecret = nextSecret
    }
}

/// Where a secret is.
package enum SecretSource: Hashable, Sendable {
    /// In a file alone; a relative path is one in the ledger's folder.
    case file(String)
    /// A systemd credential, found under `$CREDENTIALS_DIRECTORY`.
    case credential(String)
    /// Run by `/bin/sh -c`; prints the secret.
    case command(String)
}
