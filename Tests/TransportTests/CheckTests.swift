import CaptureLedger
import CaptureLedgerSync
import DeliveryMachine
import SystemCalls
import Testing

/// What `config check` says about the files that the settings name.
@Suite(.serialized) struct CheckTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws { server = try Self.shared.get() }

    private func findings(_ site: Site, days: Int64 = 0) -> [String] {
        site.ledger.settings.credentialFindings(
            ledger: site.path, nowMilliseconds: SystemClock.realtimeMilliseconds() + days * 86_400_000
        ).map { finding in
            #expect(finding.message.contains(finding.path) && !finding.remedy.isEmpty)
            return "\(finding.code) \(finding.path.split(separator: ".").last ?? "")"
        }
    }

    @Test func `secrets that are absent, malformed or everybody's are named`() throws {
        let site = try Site(
            """
            verifier: { url: 'https://a.example/', auth: { bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next',
            signature: { secret_file: 'SECRETS/signing' } },
            transfer: { proxy: 'http://proxy.example:3128', proxy_credential_file: 'SECRETS/proxy' } },
            hologram: { url: 'https://a.example/', auth: { bearer_command: 'exit 1' } }
            """)
        #expect(
            findings(site) == [
                "credential_unreadable bearer_file", "credential_unreadable secret_file",
                "credential_unreadable proxy_credential_file",
            ])
        try site.write("token", to: "token", mode: 0o644)
        try site.write("a b", to: "next")
        try site.write("whsec_AAAA", to: "signing")
        try site.write("user:password", to: "proxy")
        #expect(
            findings(site) == [
                "credential_exposed bearer_file", "credential_unreadable next_bearer_file", "credential_malformed secret_file",
            ])
    }

    @Test func `certificates that end, or whose key is another's, are named`() throws {
        func site(_ certificate: String, _ key: String) throws -> Site {
            try Site(
                """
                verifier: { url: 'https://a.example/', transfer: { ca_file: '\(server.authority)',
                client_certificate_file: '\(server.folder)/\(certificate)', client_key_file: '\(server.folder)/\(key)' } }
                """)
        }
        #expect(
            try findings(site("client.pem", "client.pem")).map { $0.split(separator: " ")[0] } == [
                "certificate_expires", "certificate_expires",
            ])
        #expect(try findings(site("client.pem", "client.pem"), days: 20).last == "certificate_expired client_certificate_file")
        #expect(
            try findings(site("client-expired.pem", "client-expired.pem")).last == "certificate_expired client_certificate_file"
        )
        #expect(try findings(site("client.pem", "tls.pem")).last == "key_mismatch client_key_file")
        #expect(try findings(site("client.pem", "authority.pem")).last == "credential_malformed client_key_file")
        #expect(try findings(site("absent.pem", "client.pem")).contains("credential_unreadable client_certificate_file"))
        let locked = server.folder + "/locked.pem"
        _ = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: [
                "env", "openssl", "pkey", "-in", server.folder + "/client.pem", "-aes128", "-passout", "pass:x", "-out", locked,
            ],
            limitMilliseconds: 10_000, outputLimit: 1 << 10)
        #expect(try findings(site("client.pem", "locked.pem")).last == "key_encrypted client_key_file")
        // and a transfer that meets it fails rather than asks
        let result = try exchange(server.url(port: "tls-client-12")) {
            $0.authorityFile = server.authority
            $0.clientCertificateFile = server.folder + "/client.pem"
            $0.clientKeyFile = locked
        }
        #expect(result.curlCode == 58)
    }
}
