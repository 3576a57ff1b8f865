import DeliveryMachine
import SessionDomain
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

@Suite struct ProxyCredentialTests {
    private static let destinations = """
        verifier: { url: "https://verifier.example/v", kind: "verifier", headers: { "X-Kiosk": "17" },
            transfer: { proxy: "http://proxy.example:3128", proxy_credential_file: "SECRETS/proxy" } },
        hologram: { url: "https://hologram.example/h", kind: "hologram" },
        """

    @Test func `a proxy's credential that cannot be read stops its own destination alone, until it can be read`() throws {
        let site = try Site(Self.destinations)
        let missing = try site.authority()
        let fault = try #require(throws: DeliveryFault.self) { try site.headers(missing) }
        #expect(fault.code == .credentialUnavailable && fault.message.contains("proxy_credential_file"))
        let hologram = try site.destination("hologram")
        let request = TransferRequest(
            token: try #require(DeliveryID("00000000-0000-4000-8000-000000000001")), method: .get, url: hologram.url,
            headers: [],
            body: nil, settings: hologram.transfer)
        #expect(try missing.headers(for: request, to: hologram).isEmpty)
        let before = missing.fingerprint(of: try site.destination())

        try site.write("kiosk:secret\n", to: "proxy")
        let found = try site.authority()
        #expect(try site.headers(found) == [Header("X-Kiosk", "17")])
        #expect(try site.destination().transfer.proxyCredential?.password == "secret")
        // another fingerprint is what lifts the pause
        #expect(found.fingerprint(of: try site.destination()) != before)
    }
}
