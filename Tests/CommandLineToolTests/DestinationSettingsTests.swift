import CaptureLedger
import DeliveryMachine
import SessionDomain
import Testing

private func verifier(_ members: String) throws(SettingsProblem) -> DestinationSettings {
    let text = "{ destinations: { verifier: { url: \"https://a.example/\", \(members) } } }"
    return try Settings(Array(text.utf8)).destination("verifier")!
}

private func problem(_ members: String) -> SettingsProblem? {
    do throws(SettingsProblem) {
        _ = try verifier(members)
        return nil
    } catch { return error }
}

struct DestinationSettingsTests {
    @Test func `a token comes from a file, a credential, a command or a token endpoint`() throws {
        #expect(try verifier("").auth == AuthSettings())
        #expect(try verifier("auth: { bearer_file: '/t' }").auth.token == .bearer(.file("/t"), next: nil))
        #expect(
            try verifier("auth: { bearer_file: 'credential:t', next_bearer_file: 'n' }").auth.token
                == .bearer(.credential("t"), next: .file("n")))
        #expect(try verifier("auth: { bearer_command: 'pass t' }").auth.token == .bearer(.command("pass t"), next: nil))
        let read = try verifier(
            """
            auth: { oauth2: { token_url: 'https://t.example/t', client_id: 'i', client_secret_file: 's', scope: 'a b',
            client_authentication: 'post' } }
            """)
        guard case .oauth2(let oauth) = read.auth.token else { throw problem("")! }
        #expect(oauth.clientSecret == .file("s") && oauth.scope == "a b" && oauth.clientAuthentication == .post)
    }

    @Test(arguments: [
        ("auth: { bearer_file: 'a', bearer_command: 'b' }", "bearer_file and bearer_command are both"),
        (
            "auth: { bearer_file: 'a', oauth2: { token_url: 'https://t.example/', client_id: 'i', client_secret_file: 's' } }",
            "more than one kind of token"
        ),
        ("auth: { next_bearer_file: 'a' }", "a next token and no current one"),
        ("auth: { oauth2: { token_url: 'http://t.example/', client_id: 'i', client_secret_file: 's' } }", "plain http"),
        ("auth: { oauth2: { token_url: 'https://t.example/', client_id: 'i' } }", "client_secret_file is missing"),
        ("auth: { signature: { next_secret_file: 's' } }", "secret_file is missing"),
        ("auth: { bearer_flie: 'a' }", "There is no setting destinations.verifier.auth.bearer_flie"),
        ("auth: { bearer_file: 'credential:../x' }", "wrong type"),
        ("transfer: { client_certificate_file: 'a' }", "client_key_file is missing"),
        ("transfer: { minimum_tls: '1.1' }", "a name that is not known"),
        ("transfer: { pinned_public_key: '/etc/passwd' }", "wrong type"),
        ("transfer: { pinned_public_key: 'sha256//abc' }", "wrong type"),
        ("transfer: { proxy: 'http://u:p@proxy.example:3128' }", "without a user name"),
        ("transfer: { proxy: 'socks5://proxy.example:3128' }", "not a proxy's http or https address"),
        ("transfer: { proxy: 'http://10.0.0.1:3128' }", "names a private address"),
        ("transfer: { proxy_credential_file: 'p' }", "transfer.proxy is missing"),
        ("allow_addresses: ['10.0.0.1/8']", "no address and no range"),
        ("allow_addresses: ['10.0.0.0/33']", "no address and no range"),
        ("allow_addresses: ['10.0.0']", "no address and no range"),
        ("in_flight_limit: 3, limits: { in_flight: 3 }", "mean the same"),
        ("limits: { bytes_per_second: 10 }", "out of range"),
        ("breaker: { base_ms: 9000, cap_ms: 8000 }", "is below base_ms"),
        ("headers: { 'Webhook-Signature': 'x' }", "a header that cannot be sent"),
    ])
    func `what contradicts itself or could do harm is refused`(members: String, message: String) {
        #expect(problem(members)?.message.contains(message) == true, "\(problem(members)?.message ?? "accepted")")
    }

    @Test func `limits and the ways of a transfer are read`() throws {
        let read = try verifier(
            """
            allow_addresses: ['10.0.0.0/8', 'fd00::/8', 'intern.example'],
            breaker: { failure_limit: 7, base_ms: 1000 },
            limits: { in_flight: 9, requests_per_second: 2.5, bytes_per_second: 100000 },
            transfer: { minimum_tls: '1.3', http_version: '2', proxy: 'http://10.0.0.1:3128', proxy_credential_file: 'p',
            pinned_public_key: 'sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }
            """)
        #expect(read.endpoint.inFlightLimit == 9 && read.endpoint.requestsPerSecond == 2.5)
        #expect(read.endpoint.breaker.failureLimit == 7 && read.endpoint.breaker.baseMilliseconds == 1_000)
        #expect(
            read.endpoint.transfer.bandwidth
                == Bandwidth(destination: DestinationName("verifier"), bytesPerSecond: 100_000))
        #expect(read.endpoint.transfer.minimumTLS == .tls13 && read.endpoint.transfer.httpVersion == .http2)
        #expect(read.endpoint.transfer.proxy == "http://10.0.0.1:3128" && read.proxyCredential == .file("p"))
        #expect(try verifier("in_flight_limit: 3").endpoint.inFlightLimit == 3)
    }
}
