import Audit
import SystemCalls
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// What an outcome names beside the event itself.
@Suite struct OutcomeProofTests {
    @Test func `an altered attempt and a lost or altered answer are named with their positions`() throws {
        let site = try SyncWorkerTests.Site()
        let temporary = site.temporary
        for _ in 0..<2 {
            let session = try site.start([.selfie])
            try site.capture(.selfie, "selfie.jpg", in: session)
        }
        _ = try site.ledger.synchronizeAndWait()
        _ = try site.ledger.makeCheckpoint()
        let before = try site.ledger.verify()
        #expect(before.isSound && before.attempts == 2 && before.evidence == 2, "\(before.problems)")
        site.ledger.closeAndWait()

        try tamper(temporary.path, "UPDATE attempt SET bytes_sent = bytes_sent + 1")
        let files = try tree(temporary.path + "/evidence").filter { !$0.contains("/staging/") }
        let altered = try #require(files.first)
        var bytes = try FileDescriptor(opening: altered, .read).readToEnd(limit: 1 << 20)
        bytes[bytes.count - 1] ^= 1
        try FileSystem.replace(altered, with: bytes, mode: 0o600)
        _ = try FileSystem.remove(files[1])

        let ledger = try temporary.reopened()
        defer { ledger.closeAndWait() }
        let problems = try ledger.verify().problems
        let outcomes = problems.filter { $0.code == .attemptAltered }
        #expect(Int64(outcomes.count) == before.attempts && outcomes.allSatisfy { $0.position != nil })
        #expect(problems.count { $0.code == .evidenceUnreadable } == 1)
        #expect(problems.count { $0.code == .evidenceMissing } == 1)
        let kinds = Set(problems.map(\.code))
        #expect(kinds.isSubset(of: [.attemptAltered, .evidenceUnreadable, .evidenceMissing]), "\(kinds)")
    }
}
