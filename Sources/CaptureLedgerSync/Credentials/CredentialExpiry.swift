package import CaptureLedger

/// When somebody must have acted on a credential or a certificate. It holds nothing of either.
package struct CredentialExpiry: Sendable, Hashable {
    package enum What: String, Sendable, CaseIterable {
        /// A bearer token that is a JWT (RFC 7519) with an `exp`.
        case bearerToken = "bearer_token"
        case nextBearerToken = "next_bearer_token"
        /// A token from a token endpoint; it is renewed by itself.
        case oauthToken = "oauth_token"
        case clientCertificate = "client_certificate"
        /// The first of the authorities of `ca_file` to expire.
        case authority
        /// What the endpoint shows; only somebody who connected knows it.
        case serverCertificate = "server_certificate"
    }

    /// The name in the settings.
    package let destination: String
    package let what: What
    package let expiresAtMilliseconds: Int64

    package init(destination: String, what: What, expiresAtMilliseconds: Int64) {
        self.destination = destination
        self.what = what
        self.expiresAtMilliseconds = expiresAtMilliseconds
    }
}

extension Ledger {
    /// What expires when, by destination, from files alone: nothing is connected to, no command is run, and what cannot be read
    /// is left out.
    package func credentialExpiries() -> [CredentialExpiry] {
        settings.destinations.flatMap { destination in
            CertificateFiles(destination.endpoint.transfer, secrets).expiries(of: destination.name)
                + TokenExpiry.known(of: destination, in: self)
        }
    }
}
