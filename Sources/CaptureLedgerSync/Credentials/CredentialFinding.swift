package import CaptureLedger
import Cryptography
import DeliveryMachine
import SystemCalls

/// What is wrong with a secret or a certificate that the settings name. It holds nothing of either.
package struct CredentialFinding: Sendable, Hashable {
    package enum Severity: String, Sendable {
        /// Deliveries to this destination cannot work.
        case error
        case warning
    }

    /// An open set.
    package let code: String
    package let severity: Severity
    /// The setting, such as `destinations.verifier.auth.bearer_file`.
    package let path: String
    package let message: String
    package let remedy: String

    package init(code: String, severity: Severity, path: String, message: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.path = path
        self.message = message
        self.remedy = remedy
    }
}

extension Settings {
    /// Looks at every file that the destinations name. Nothing is connected to, and no command is run: `sync probe` does both.
    ///
    /// - Parameters:
    ///   - folder: of the ledger.
    ///   - now: wall-clock milliseconds.
    package func credentialFindings(ledger folder: String, nowMilliseconds now: Int64) -> [CredentialFinding] {
        destinations.flatMap { destination in
            var examination = CredentialExamination(destination, SecretReader(ledger: folder), now)
            examination.run()
            return examination.findings
        }
    }
}

/// Goes through one destination's files.
private struct CredentialExamination {
    private static let soon: Int64 = 30 * 86_400_000

    private let destination: DestinationSettings
    private let secrets: SecretReader
    private let now: Int64
    private(set) var findings: [CredentialFinding] = []

    init(_ destination: DestinationSettings, _ secrets: SecretReader, _ now: Int64) {
        self.destination = destination
        self.secrets = secrets
        self.now = now
    }

    mutating func run() {
        switch destination.auth.token {
        case .bearer(let current, let next):
            lookAtToken(current, "auth.bearer_file", isOptional: false)
            if let next { lookAtToken(next, "auth.next_bearer_file", isOptional: true) }
        case .oauth2(let oauth): _ = look(at: oauth.clientSecret, "auth.oauth2.client_secret_file")
        case nil: break
        }
        if let signature = destination.auth.signature {
            lookAtSigningSecret(signature.secret, "auth.signature.secret_file")
            if let next = signature.nextSecret { lookAtSigningSecret(next, "auth.signature.next_secret_file") }
        }
        if let credential = destination.proxyCredential { _ = look(at: credential, "transfer.proxy_credential_file") }
        lookAtCertificates()
    }

    private mutating func lookAtToken(_ source: SecretSource, _ key: String, isOptional: Bool) {
        if isOptional, let file = secrets.file(of: source), (try? FileStatus.of(file)) ?? nil == nil { return }
        guard let line = look(at: source, key), let end = TokenExpiry.ofJWT(line) else { return }
        reportToken(end: end, key)
    }

    private mutating func lookAtSigningSecret(_ source: SecretSource, _ key: String) {
        guard let line = look(at: source, key), WebhookSigner.key(in: line) == nil else { return }
        add(
            "credential_malformed", .error, key, "What it names is not a signing secret.",
            "Write whsec_ and 24 to 64 bytes in base64 into it, as one line.")
    }

    /// The secret, to be judged and forgotten.
    private mutating func look(at source: SecretSource, _ key: String) -> String? {
        if case .command = source { return nil }
        let line: String
        do throws(SettingsProblem) { line = try secrets.line(source, at: place(key)) } catch {
            add(error.code.rawValue, .error, key, error.message, error.remedy)
            return nil
        }
        if let file = secrets.file(of: source) { lookAtMode(file, key) }
        return line
    }

    private mutating func lookAtMode(_ file: String, _ key: String) {
        guard let status = (try? FileStatus.of(file)) ?? nil, status.mode & 0o007 != 0 else { return }
        add(
            "credential_exposed", .warning, key, "Everybody on this machine may read the file that it names.",
            "Take the permissions away: chmod o= and the file.")
    }

    private mutating func lookAtCertificates() {
        let files = CertificateFiles(destination.endpoint.transfer, secrets)
        if let path = files.authorityFile {
            let authorities = certificates(path, "transfer.ca_file")
            if let end = authorities.compactMap(\.notAfterMilliseconds).max() {
                reportCertificate(end: end, "transfer.ca_file")
            }
        }
        guard let path = files.clientCertificateFile, let keyPath = files.clientKeyFile else { return }
        let certificate = certificates(path, "transfer.client_certificate_file").first
        if let end = certificate?.notAfterMilliseconds {
            reportCertificate(end: end, "transfer.client_certificate_file")
        }
        let key = "transfer.client_key_file"
        guard let bytes = CertificateFiles.content(keyPath) else {
            return add(
                "credential_unreadable", .error, key, "The file that it names cannot be read.",
                "Check the path and its permissions.")
        }
        lookAtMode(keyPath, key)
        switch certificate?.match(keyInPEM: bytes) {
        case .matches?, nil: break
        case .another?:
            add(
                "key_mismatch", .error, key, "The key is not the client certificate's.",
                "Name the key that the certificate was made for.")
        case .encrypted?:
            add(
                "key_encrypted", .error, key, "The key wants a passphrase, and nobody is there to type one.",
                "Store it without one, readable by its user alone (openssl pkey).")
        case .unreadable?:
            add("credential_malformed", .error, key, "The file holds no private key in PEM.", "Convert it with openssl pkey.")
        }
    }

    private mutating func certificates(_ path: String, _ key: String) -> [Certificate] {
        guard let bytes = CertificateFiles.content(path) else {
            add(
                "credential_unreadable", .error, key, "The file that it names cannot be read.",
                "Check the path and its permissions.")
            return []
        }
        let found = Certificate.all(inPEM: bytes)
        if found.isEmpty {
            add(
                "credential_malformed", .error, key, "The file holds no certificate in PEM.",
                "Convert it with openssl x509.")
        }
        return found
    }

    private mutating func reportToken(end: Int64, _ key: String) {
        if end <= now {
            add("token_expired", .error, key, "The token has expired.", "Get another; docs/credentials.md says how.")
        } else if end - now < Self.soon {
            add("token_expires", .warning, key, "The token expires in \(days(to: end)) days.", Self.renewal)
        }
    }

    private mutating func reportCertificate(end: Int64, _ key: String) {
        if end <= now {
            add("certificate_expired", .error, key, "The certificate has expired.", "Renew it; docs/credentials.md says how.")
        } else if end - now < Self.soon {
            add("certificate_expires", .warning, key, "The certificate expires in \(days(to: end)) days.", Self.renewal)
        }
    }

    private static let renewal = "Renew it; docs/credentials.md says how without a gap."

    private func days(to end: Int64) -> Int64 { (end - now) / 86_400_000 }

    private func place(_ key: String) -> String { "destinations.\(destination.name).\(key)" }

    private mutating func add(
        _ code: String, _ severity: CredentialFinding.Severity, _ key: String, _ message: String, _ remedy: String
    ) {
        let path = place(key)
        findings.append(
            CredentialFinding(
                code: code, severity: severity, path: path,
                message: message.contains(path) ? message : "\(path): \(message)", remedy: remedy))
    }
}
