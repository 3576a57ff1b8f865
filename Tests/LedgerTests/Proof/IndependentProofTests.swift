import Audit
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// The other side is `Tests/verify_proofs.py`, written from docs/proof.md over another library.
@Suite struct IndependentProofTests {
    @Test(.enabled(if: Oracle.isThere, "needs python3 with the package cryptography"))
    func `another program agrees on ten thousand random proofs, and refuses every one that was altered`() async throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let seed = SeededRandom.seed(for: "random proofs")
        var random = SeededRandom(seed: seed)
        // more than two tiles, and some checkpoints on the way
        for count in [Int.random(in: 1...9, using: &random), 300, 320] {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { _ = try? await ledger.submit(StartRequest(configuration: configuration([.selfie]))) }
                }
            }
            _ = try ledger.makeCheckpoint()
        }
        let last = try ledger.lastPosition()
        #expect(last > 620)
        let requests = (0..<10_000).map { _ -> ProofRequest in
            let size = Int64.random(in: 1...last, using: &random)
            if random.one(in: 2) { return .consistency(from: Int64.random(in: 1...size, using: &random), to: size) }
            let position = Int64.random(in: 1...size, using: &random)
            return .inclusion(position: position, size: random.one(in: 3) ? nil : size)
        }
        let path = temporary.folder + "/proofs.jsonl"
        let file = try FileDescriptor(opening: path, .createNew)
        var lines: [UInt8] = []
        try ledger.prove(requests) { (proof) throws(LedgerError) in
            switch proof {
            case .inclusion(let proof): lines += proof.json.canonicalBytes + [0x0A]
            case .consistency(let proof): lines += proof.json.canonicalBytes + [0x0A]
            }
        }
        try file.write(lines)
        let key = try #require(try ledger.newestCheckpoint()).key.text
        let proofs = try verify("proofs", path, "--key", key, "--mutate", String(seed))
        #expect(proofs["ok"] == .bool(true), "\(proofs.canonical)")
        #expect(proofs["checked"] == .integer(10_000) && proofs["refused"] == .integer(10_000))
        ledger.closeAndWait()
        let whole = try verify("ledger", temporary.path, "--key", key)
        #expect(whole["ok"] == .bool(true), "\(whole.canonical)")
        #expect(whole["checkpoints"] == .integer(3) && whole["tiles"] == .integer(1))
        try tamper(temporary.path, "UPDATE tree_tile SET hashes = zeroblob(length(hashes))")
        #expect(try verify("ledger", temporary.path, "--key", key)["ok"] == .bool(false))
        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        #expect(Set(try reopened.verify().problems.map(\.code)) == [.tileWrong])
    }

    private func verify(_ words: String...) throws -> JSONValue {
        let run = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", Oracle.folder + "/verify_proofs.py"] + words,
            limitMilliseconds: 60_000, outputLimit: 1 << 20)
        return try JSONValue.parse(Array(run.output.prefix { $0 != 0x0A }))
    }
}
