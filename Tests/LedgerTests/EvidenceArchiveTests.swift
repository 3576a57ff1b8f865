import DeliveryMachine
import SessionDomain
import Testing
import Vault

@testable import CaptureLedger

@Suite struct EvidenceArchiveTests {
    @Test func `the answers of a batch are kept in their order, sealed, and are nobody's orphans until they are settled`()
        throws
    {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        for _ in 0..<12 {
            let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            var request = CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera)
            request.confirm = true
            _ = try ledger.capture(request)
        }
        let claims = try LedgerDeliveryQueue(ledger).claim(
            [ClaimQuota(destination: DestinationName("verifier"), limit: 100)], nowMilliseconds: ledger.clock.nowMilliseconds())
        try #require(claims.count == 12)
        // One person is erased while the answers are under way: that answer alone cannot be kept.
        let erased = claims[5].session
        _ = try ledger.erase(erased)

        let archive = EvidenceArchive(ledger)
        let kept = archive.archive(
            claims.enumerated().map { number, claim in
                EndedClaim(
                    claim: claim,
                    result: TransferResult(
                        token: claim.id, curlCode: 0, status: 200, headers: [Header("x", "y")], body: Array("\(number)".utf8),
                        bytesSent: 1, startedAtMilliseconds: 0, finishedAtMilliseconds: 0))
            })
        #expect(kept.count == 12)
        for (number, (claim, result)) in zip(claims, kept).enumerated() {
            if claim.session == erased {
                #expect(throws: DeliveryFault.self) { try result.get() }
                continue
            }
            let reference = try result.get()
            let id = try #require(UUID128(reference.id))
            let bytes = try ledger.keys.read(.evidence, ObjectID(id), key: try ledger.sessionKey(claim.session)).readAll(
                limit: 1000)
            #expect(String(decoding: bytes, as: UTF8.self) == "HTTP 200\r\nx: y\r\n\r\n\(number)")
            #expect(Digests.sha256(bytes) == reference.sha256)
        }
        func orphans() throws -> Int { try ledger.keys.orphans { kind, _ in kind == .media }.count }
        #expect(try orphans() == 0, "files of a batch that is not settled yet")
        #expect(archive.archive([]).isEmpty)
        #expect(try orphans() == 11, "released with the next batch")
    }
}
