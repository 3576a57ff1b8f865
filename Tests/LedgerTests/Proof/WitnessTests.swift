import CaptureLedgerSync
import EventStorage
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// The witness is `Tests/Support/WitnessServer`, which judges by `Tests/verify_proofs.py`.
@Suite(.enabled(if: Oracle.isThere, "needs python3 with the package cryptography"))
struct WitnessTests {
    private let temporary: TemporaryLedger
    private let server: ServerProgram

    init() throws {
        temporary = try TemporaryLedger()
        server = try ServerProgram("WitnessServer")
        temporary.ledger.closeAndWait()
    }

    private func opened(_ more: String = "") throws -> Ledger {
        let path = temporary.path + "/capture-ledger.json5"
        let url = "http://127.0.0.1:\(server.port("http"))/log"
        let text = String(decoding: try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        let plain = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("    witness: {") }
            .joined(separator: "\n")
        let witness = "audit: {\n    witness: { url: \"\(url)\"\(more) },\n"
        try FileSystem.replace(path, with: Array(plain.replacing("audit: {\n", with: witness).utf8), mode: 0o600)
        return try Ledger.open(folder: temporary.path)
    }

    @Test func `the newest checkpoint goes to the witness with its proof, and its signature is kept`() throws {
        let ledger = try opened()
        defer { ledger.closeAndWait() }
        try begin(3, ledger)
        // it does not know this log yet: nothing of ours fails
        let unknown = try #require(ledger.sendCheckpoint())
        #expect(unknown.failure?.code.rawValue == "witness_refused" && unknown.treeSize == 4)
        try trust(ledger)
        let first = try #require(ledger.sendCheckpoint())
        #expect(
            first.failure == nil && first.oldSize == 0 && first.cosignature?.contains("\u{2014} witness.example/w1 ") == true)
        try begin(4, ledger)
        let second = try #require(ledger.sendCheckpoint())
        #expect(second.failure == nil && second.oldSize == 4 && second.treeSize == 8 && second.wasSent)
        let third = try #require(ledger.sendCheckpoint())
        #expect(third.failure == nil && !third.wasSent && third.cosignature == second.cosignature)
        #expect(try sizes() == [8])
        let standing = try #require(try ledger.witnessStanding())
        #expect(standing.treeSize == 8 && standing.signedSize == 8 && standing.witnessedAtMilliseconds != nil)
        // it forgot, or is another one at the same address: it says what it has, and is asked from there
        _ = try server.ask(#"{"do":"forget"}"#)
        try begin(1, ledger)
        #expect(try #require(ledger.sendCheckpoint()).failure == nil)
        #expect(try sizes() == [9])
    }

    @Test func `a witness that fails costs nothing, and one that has seen more says that something is missing`() throws {
        let ledger = try opened()
        defer { ledger.closeAndWait() }
        try begin(2, ledger)
        let made = try ledger.makeCheckpoint()
        try trust(ledger)
        for (status, code) in [(503, "witness_unreachable"), (422, "witness_refused"), (403, "witness_refused")] {
            _ = try server.ask(#"{"do":"set","status":\#(status)}"#)
            #expect(try #require(ledger.sendCheckpoint()).failure?.code.rawValue == code)
        }
        _ = try server.ask(#"{"do":"set","status":0}"#)
        #expect(try ledger.witnessStanding()?.treeSize == 0)
        let origin = made.signed.checkpoint.origin
        _ = try server.ask(#"{"do":"pretend","origin":"\#(origin)","size":99}"#)
        #expect(try #require(ledger.sendCheckpoint()).failure?.code.rawValue == "witness_ahead")
        _ = try server.ask(#"{"do":"pretend","origin":"\#(origin)","size":2}"#)
        #expect(try #require(ledger.sendCheckpoint()).failure?.code.rawValue == "witness_refused")
        #expect(try ledger.verify().isSound)
    }

    @Test func `with its key the signature of a witness is verified, and anything else is refused by name`() throws {
        let key = try #require(try server.ask(#"{"do":"key"}"#)["key"]?.asString)
        let ledger = try opened(", key: \"\(key)\"")
        defer { ledger.closeAndWait() }
        try begin(3, ledger)
        _ = try ledger.makeCheckpoint()
        try trust(ledger)
        let refused = [
            ("none", "cosignature_missing"), ("key", "cosignature_missing"), ("text", "cosignature_wrong"),
            ("byte", "cosignature_wrong"),
        ]
        for (how, code) in refused {
            _ = try server.ask(#"{"do":"sign","how":"\#(how)"}"#)
            let outcome = try #require(ledger.sendCheckpoint())
            #expect(outcome.failure?.code.rawValue == code && outcome.cosignature == nil, "\(how)")
            #expect(try ledger.witnessStanding()?.treeSize == 0, "\(how)")
        }
        _ = try server.ask(#"{"do":"sign","how":"right"}"#)
        let taken = try #require(ledger.sendCheckpoint())
        #expect(taken.failure == nil && taken.isVerified == true)
        let again = try #require(ledger.sendCheckpoint())
        #expect(again.failure == nil && again.isVerified == true && !again.wasSent)
        let report = try ledger.verify()
        #expect(report.isSound && report.cosignatures == 1 && report.unverifiedCosignatures == 0)
        // what is kept is held to the key, too
        let foreign = try EventDatabase.openForWriting(ledger.files.database)
        try foreign.execute("UPDATE witnessed SET cosignature = replace(cosignature, 'w1 ', 'w1 A') WHERE true")
        let other = "UPDATE witnessed SET cosignature = (SELECT replace(cosignature, 'w1 A', 'w1 '))"
        #expect(try ledger.verify().unverifiedCosignatures == 1)
        try foreign.execute(other)
        #expect(try ledger.verify().cosignatures == 1)
        try begin(1, ledger)
        #expect(try #require(ledger.sendCheckpoint()).failure == nil)
        try foreign.execute(
            "UPDATE witnessed SET cosignature = (SELECT cosignature FROM witnessed ORDER BY tree_size DESC LIMIT 1)")
        let problems = try ledger.verify().problems
        #expect(problems.map(\.code.rawValue) == ["cosignature_wrong"] && problems.map(\.position) == [4])
    }

    @Test func `a key that is given later has the signature asked for again`() throws {
        let ledger = try opened()
        try begin(2, ledger)
        _ = try ledger.makeCheckpoint()
        try trust(ledger)
        _ = try server.ask(#"{"do":"sign","how":"none"}"#)
        let taken = try #require(ledger.sendCheckpoint())
        #expect(taken.failure == nil && taken.isVerified == nil && taken.cosignature == nil)
        ledger.closeAndWait()
        _ = try server.ask(#"{"do":"sign","how":"right"}"#)
        let key = try #require(try server.ask(#"{"do":"key"}"#)["key"]?.asString)
        let knowing = try opened(", key: \"\(key)\"")
        defer { knowing.closeAndWait() }
        #expect(try knowing.witnessStanding()?.isVerified == false)
        let again = try #require(knowing.sendCheckpoint())
        #expect(again.failure == nil && again.wasSent && again.isVerified == true && again.oldSize == again.treeSize)
        #expect(try knowing.witnessStanding()?.isVerified == true)
    }

    @Test func `runs without news sign nothing and send nothing`() async throws {
        let ledger = try opened()
        defer { ledger.closeAndWait() }
        try begin(1, ledger)
        _ = try ledger.makeCheckpoint()
        try trust(ledger)
        let worker = SyncWorker(ledger: ledger)
        _ = try await worker.runOnce(deadline: .seconds(20))
        func signed() throws -> Int64 { try ledger.verify().checkpoints }
        let (before, requests) = (try signed(), try requests())
        #expect(before == 1 && requests == 1)
        for _ in 0..<5 { _ = try await worker.runOnce(deadline: .seconds(20)) }
        #expect(try signed() == before)
        #expect(try self.requests() == requests)
        try begin(1, ledger)
        for _ in 0..<3 { _ = try await worker.runOnce(deadline: .seconds(20)) }
        #expect(try signed() == before + 1)
        #expect(try self.requests() == requests + 1)
    }

    private func requests() throws -> Int {
        try server.ask(#"{"do":"requests"}"#)["requests"]?.asArray?.count ?? -1
    }

    @Test func `every run of the worker ends with it, and without a witness nothing is signed`() async throws {
        let plain = try TemporaryLedger()
        try begin(1, plain.ledger)
        _ = try await SyncWorker(ledger: plain.ledger).runOnce(deadline: .seconds(20))
        #expect(try plain.ledger.newestCheckpoint() == nil)
        let ledger = try opened()
        defer { ledger.closeAndWait() }
        try begin(1, ledger)
        _ = try ledger.makeCheckpoint()
        try trust(ledger)
        _ = try await SyncWorker(ledger: ledger).runOnce(deadline: .seconds(20))
        #expect(try sizes() == [2])
    }

    private func trust(_ ledger: Ledger) throws {
        let key = try #require(try ledger.newestCheckpoint()).key.text
        _ = try server.ask(#"{"do":"trust","key":"\#(key)"}"#)
    }

    private func sizes() throws -> [Int64] {
        try server.ask(#"{"do":"sizes"}"#)["sizes"]?.asMembers?.compactMap(\.value.asInteger) ?? []
    }
}
