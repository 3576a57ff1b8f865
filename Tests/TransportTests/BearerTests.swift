import CaptureLedger
import DeliveryMachine
import TestSupport
import Testing

@testable import CaptureLedgerSync

@Suite struct BearerTests {
    private func site(_ auth: String, headers: String = "") throws -> Site {
        try Site("verifier: { url: 'https://127.0.0.1:1/', auth: { \(auth) }, headers: { \(headers) } }")
    }

    @Test func `a token is read from its file for every run`() throws {
        let site = try site("bearer_file: 'SECRETS/token'", headers: "'X-Branch': '7'")
        try site.write("first\n", to: "token")
        #expect(
            try site.headers(site.authority()) == [Header("X-Branch", "7"), Header("Authorization", "Bearer first")])
        let before = try site.authority().fingerprint(of: site.destination())
        try site.write("second", to: "token")
        #expect(try site.token(site.authority()) == "second")
        #expect(try site.authority().fingerprint(of: site.destination()) != before)
    }

    @Test func `a fingerprint says nothing and means nothing in another ledger`() throws {
        let one = try site("bearer_file: 'SECRETS/token'")
        let other = try site("bearer_file: 'SECRETS/token'")
        for site in [one, other] { try site.write("same", to: "token") }
        let fingerprint = try #require(try one.authority().fingerprint(of: one.destination()))
        #expect(try other.authority().fingerprint(of: other.destination()) != fingerprint)
        #expect(!fingerprint.contains("same") && fingerprint.utf8.count == 32)
        // a secret header counts as a credential too
        try one.change("verifier: { url: 'https://127.0.0.1:1/', headers: { 'X-Key': 'a' } }")
        let first = try one.authority().fingerprint(of: one.destination())
        try one.change("verifier: { url: 'https://127.0.0.1:1/', headers: { 'X-Key': 'b' } }")
        #expect(try one.authority().fingerprint(of: one.destination()) != first)
        try one.change("verifier: { url: 'https://127.0.0.1:1/' }")
        #expect(try one.authority().fingerprint(of: one.destination()) == nil)
    }

    @Test(arguments: ["", "\n", "a b", "a\nb", "a\u{e9}", String(repeating: "a", count: 17 << 10)])
    func `what is no token is refused, and is not in the error`(content: String) throws {
        let site = try site("bearer_file: 'SECRETS/token'")
        try site.write(content, to: "token")
        let fault = try #require(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        #expect(fault.code == .credentialUnavailable)
        #expect(fault.message.contains("destinations.verifier.auth.bearer_file"))
        #expect(!fault.remedy.isEmpty && (content.count < 3 || !fault.message.contains(content)))
    }

    @Test func `a token file that is absent, a folder or a pipe is refused at once`() throws {
        let site = try site("bearer_file: 'SECRETS/token'")
        #expect(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        for path in [site.folder, "/dev/zero"] {
            try site.change("verifier: { url: 'https://127.0.0.1:1/', auth: { bearer_file: '\(path)' } }")
            #expect(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        }
    }

    @Test func `the next token takes over once the first was refused, and stays for the run`() throws {
        let site = try site("bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next'")
        try site.write("first", to: "token")
        let alone = try site.authority()
        #expect(try site.token(alone) == "first")
        #expect(try !alone.renew(site.destination()), "there is no next one yet")
        try site.write("next", to: "next")
        let authority = try site.authority()
        #expect(try site.token(authority) == "first")
        #expect(try authority.renew(site.destination()))
        #expect(try site.token(authority) == "next")
        #expect(try site.token(authority) == "next")
        // the next run begins with the current one again
        #expect(try site.token(site.authority()) == "first")
    }

    @Test func `two tokens that were refused are worth another try only once one changes`() throws {
        let site = try site("bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next'")
        try site.write("first", to: "token")
        try site.write("next", to: "next")
        let authority = try site.authority()
        let destination = try site.destination()
        #expect(try authority.renew(destination))
        #expect(try site.token(authority) == "next")
        #expect(try !authority.renew(destination))
        let refused = authority.fingerprint(of: destination)
        try site.write("newer", to: "next")
        #expect(try authority.renew(destination))
        #expect(try site.token(authority) == "newer")
        #expect(authority.fingerprint(of: destination) != refused)
    }

    @Test func `a file that changed during the run is worth another try after a refusal`() throws {
        let site = try site("bearer_file: 'SECRETS/token'")
        try site.write("first", to: "token")
        let authority = try site.authority()
        #expect(try site.token(authority) == "first")
        try site.write("second", to: "token")
        #expect(try authority.renew(site.destination()))
        #expect(try site.token(authority) == "second")
    }

    @Test func `a command prints the token, runs once, and sees nothing of our environment`() throws {
        let site = try site("bearer_command: 'echo ran >> SECRETS/runs; env > SECRETS/env; echo token; echo noise >&2'")
        let authority = try site.authority()
        #expect(try site.token(authority) == "token")
        #expect(try site.token(authority) == "token")
        _ = authority.fingerprint(of: try site.destination())
        #expect(try text(site.folder + "/runs") == "ran\n")
        let names = Set(try text(site.folder + "/env").split(separator: "\n").map { $0.prefix { $0 != "=" } })
        #expect(
            names.subtracting([
                "PATH", "LANG", "HOME", "XDG_RUNTIME_DIR", "CREDENTIALS_DIRECTORY", "PWD", "SHLVL", "_", "OLDPWD",
            ])
            .isEmpty)
    }

    @Test(arguments: [
        ("exit 3", "ended with 3"), ("kill -9 $$", "signal 9"), ("yes secret-output", "printed more"), ("true", "not one line"),
        ("echo secret-output with spaces", "not one line"), ("echo secret-output >&2; exit 1", "ended with 1"),
    ])
    func `a command that fails says how, and nothing of what it printed`(command: String, message: String) throws {
        let site = try site("bearer_command: '\(command)'")
        let fault = try #require(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        #expect(fault.message.contains(message), "\(fault.message)")
        #expect(!(fault.message + fault.remedy).contains("secret-output"))
    }

    private func text(_ path: String) throws -> String {
        String(decoding: CertificateFiles.content(path) ?? [], as: UTF8.self)
    }
}
