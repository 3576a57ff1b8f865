/// Limits and identity of the connection to a destination.
package struct TransferSettings: Hashable, Sendable {
    package enum TLSVersion: String, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    package enum HTTPVersion: String, Sendable, CaseIterable {
        case http11 = "1.1"
        /// Over TLS, where the endpoint offers it; else 1.1.
        case http2 = "2"
    }

    package var connectTimeoutMilliseconds = 10_000
    /// The low-speed limit alone may never fire, so a whole transfer has an end of its own.
    package var totalTimeoutMilliseconds = 600_000
    package var lowSpeedBytesPerSecond = 64
    package var lowSpeedSeconds = 60
    /// Counted on decoded bytes.
    package var answerLimitBytes = 1 << 20
    package var headerLimitBytes = 64 << 10
    package var httpVersion = HTTPVersion.http11
    package var minimumTLS = TLSVersion.tls12
    /// `sha256//` and the base64 digest of the endpoint's public key, several separated by `;`; nil trusts the authorities alone.
    package var pinnedPublicKey: String?
    /// A proxy's address; nil uses none, whatever the environment says.
    package var proxy: String?
    package var proxyCredential: ProxyCredential?
    /// PEM file of the authorities to trust instead of the system's.
    package var authorityFile: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// Private addresses that may be connected to, as literal addresses or ranges (`10.0.0.0/8`); hosts that may be spoken to in
    /// plain http.
    package var allowedAddresses: [String] = []
    /// What the destination's transfers may send together; nil sets no limit.
    package var bandwidth: Bandwidth?

    package init() {}
}

/// What a destination's transfers share.
package struct Bandwidth: Hashable, Sendable {
    package var destination: DestinationName
    package var bytesPerSecond: Int64

    package init(destination: DestinationName, bytesPerSecond: Int64) {
        self.destination = destination
        self.bytesPerSecond = bytesPerSecond
    }
}

/// Who asks at a proxy. A secret: it describes itself without saying what it is.
package struct ProxyCredential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "ProxyCredential" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
