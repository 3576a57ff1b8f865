import Audit
import Cryptography
import EventStorage
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// Whoever alters an archive can make every digest in it fit again: what was stored, and what was signed, still gives them away.
@Suite struct ForgeryTests {
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        /// What cannot but be found with it.
        let others: [String]
        let alter: @Sendable (inout Archive) throws -> Void

        init(
            _ name: String, _ code: String, with others: [String] = [],
            _ alter: @escaping @Sendable (inout Archive) throws -> Void
        ) {
            testDescription = name
            self.code = code
            self.others = others
            self.alter = alter
        }
    }

    static let forgeries: [Forgery] = [
        Forgery("a fact is shown otherwise", "event_differs") {
            try $0.replace(#""source":"camera""#, by: #""source":"file""#, in: "events.jsonl")
        },
        Forgery("a stored row and all that is shown of it are altered", "proof_wrong") { archive in
            _ = try Self.alterFirstEvent(of: &archive)
        },
        Forgery("a stored row is altered, and its path leads to a root of its own", "proof_wrong") { archive in
            let leaf = try Self.alterFirstEvent(of: &archive)
            try archive.alter("proof/inclusion.jsonl", line: 0) { members in
                let proof = try InclusionProof(.members(members))
                var hash = SHA256()
                let root = try #require(
                    MerkleTree.root(of: leaf, at: proof.position - 1, size: proof.treeSize, path: proof.path, using: &hash))
                let forged = InclusionProof(
                    position: proof.position, treeSize: proof.treeSize, leaf: leaf, path: proof.path, root: root, event: nil,
                    checkpoint: nil)
                members = forged.json.asMembers ?? []
            }
        },
        Forgery("an event is left out", "event_missing", with: ["manifest_wrong"]) { archive in
            let lines = archive["events.jsonl"].split(separator: 0x0A)
            archive["events.jsonl"] = (lines[..<3] + lines[4...]).flatMap { Array($0) + [0x0A] }
        },
        Forgery("a private half is shown otherwise", "private_differs") {
            try $0.replace(Scene.clientKey, by: "client-key-000000", in: "events.jsonl")
        },
        Forgery("a private half is said to be erased where it is not there", "private_differs") { archive in
            try archive.alter("events.jsonl", line: 1) { $0.removeAll { $0.key == "private" } }
        },
        Forgery("a picture is put in the place of another", "media_wrong") {
            $0[try $0.name("media/")] = $0[try $0.name("crops/")]
        },
        Forgery("a picture is left out", "media_missing") { $0.remove(try $0.name("media/")) },
        Forgery("a page is altered", "media_wrong") { archive in
            let name = try archive.name("crops/")
            archive[name][archive[name].count - 9] ^= 1
        },
        Forgery("a finding is made better", "findings_differ") {
            try $0.replace(#""value":0.25"#, by: #""value":0.01"#, in: "findings.jsonl")
        },
        Forgery("the configuration is another", "configuration_wrong") {
            try $0.replace("Check in", by: "Check on", in: "configuration.json")
        },
        Forgery("a request is shown otherwise", "attempt_differs") {
            try $0.replace(#""status":200"#, by: #""status":500"#, in: "deliveries.jsonl")
        },
        Forgery("a delivery is left out", "attempt_missing", with: ["answer_wrong", "request_wrong"]) { archive in
            let lines = archive["deliveries.jsonl"].split(separator: 0x0A)
            archive["deliveries.jsonl"] = lines[1...].flatMap { Array($0) + [0x0A] }
        },
        Forgery("an answer is altered", "answer_wrong") { archive in
            let name = try archive.name("answers/")
            archive[name] = archive[name] + Array(" ".utf8)
        },
        Forgery("an answer is left out", "answer_missing") { $0.remove(try $0.name("answers/")) },
        Forgery("what was sent is altered", "request_wrong") { archive in
            let name = try archive.name("requests/")
            try archive.replace(#""media_bytes":"#, by: #""media_bytes":1"#, in: name)
        },
        Forgery("the checkpoint is altered", "signature_wrong", with: ["proof_wrong"]) { archive in
            let text = String(decoding: archive["proof/checkpoint.txt"], as: UTF8.self)
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines[1] = String(try #require(Int64(lines[1])) + 1)
            archive["proof/checkpoint.txt"] = Array(lines.joined(separator: "\n").utf8)
        },
        Forgery("a path is altered", "proof_wrong") { archive in
            try archive.alter("proof/inclusion.jsonl", line: 2) { members in
                guard let path = members.first(where: { $0.key == "path" })?.value.asArray, let first = path.first else {
                    return
                }
                members.removeAll { $0.key == "path" }
                members.append(.init("path", .array([first] + path)))
            }
        },
        Forgery("a proof is left out", "proof_missing") { archive in
            let lines = archive["proof/inclusion.jsonl"].split(separator: 0x0A)
            archive["proof/inclusion.jsonl"] = lines[1...].flatMap { Array($0) + [0x0A] }
        },
        Forgery("the report says something else", "signature_wrong") {
            try $0.replace("kiosk_7", by: "kiosk_8", in: "report.html")
        },
        Forgery("the signature is left out", "entry_missing") { $0.remove("manifest.note") },
        Forgery("it is said to be redacted", "redaction_broken") {
            try $0.replace(#""redacted":false"#, by: #""redacted":true"#, in: "session.json")
            try $0.replace(#""redacted":false"#, by: #""redacted":true"#, in: "manifest.json")
        },
    ]

    /// Sets the time of the first event in its stored bytes and in all that is shown of it; its leaf then.
    private static func alterFirstEvent(of archive: inout Archive) throws -> Digest {
        var leaf: Digest?
        try archive.alter("events.jsonl", line: 0) { members in
            let row = try #require(members.first { $0.key == "row" }?.value.asString)
            var bytes = try #require(Base64.decode(row))
            // the last byte of recorded_at_ms, behind three integers, two blobs of 16 bytes and two integers
            bytes[9 + 21 + 9 + 21 + 9 + 9 + 9 - 1] ^= 1
            let record = try #require(EventRecord(row: bytes))
            leaf = record.leaf
            // the private half stays as it was: what gives the forgery away is the proof alone
            let half = try #require(members.first { $0.key == "private" }?.value)
            members = [
                .init("private", half), .init("row", .string(Base64.encode(bytes))), .init("leaf", .string(record.leaf.hex)),
            ]
            members += try #require(record.json.asMembers)
        }
        return try #require(leaf)
    }

    @Test func `everything that can be altered with fitting digests is found, by the product and by the oracle`() throws {
        let original = try Scene.exported.get()
        #expect(try original.verify().problems == [])
        for forgery in Self.forgeries {
            var archive = original
            try forgery.alter(&archive)
            try archive.forgeDigests()
            let verdict = try archive.verify()
            // and for nothing else: an edit that breaks more than it means to would hide what it is about
            let unsigned: Set<String> = forgery.code == "entry_missing" ? [] : ["signature_wrong"]
            #expect(verdict.codes == unsigned.union([forgery.code] + forgery.others), "\(forgery.testDescription)")
            let judged = try Oracle.judge(archive.bytes)
            #expect(judged["ok"] == .bool(false), "\(forgery.testDescription): the oracle found nothing")
        }
    }

    @Test func `one flipped bit in any file of it is found, and the file is named`() throws {
        let original = try Scene.exported.get()
        for (index, entry) in original.entries.enumerated() where !entry.bytes.isEmpty {
            var archive = original
            archive.entries[index].bytes[entry.bytes.count / 2] ^= 1
            let verdict = try archive.verify()
            #expect(verdict.problems.contains { $0.entry == entry.name }, "\(entry.name): \(verdict.problems)")
        }
    }

    @Test func `a checkpoint of another ledger's key is not that of the key that was given`() throws {
        let bytes = try Scene.exported.get().bytes
        let own = try #require(try Archive.verify(bytes).key)
        let key = try NoteKey(parsing: own)
        #expect(try Archive.verify(bytes, trusting: key).isKeyTrusted)
        let other = NoteKey(name: key.name, publicKey: [UInt8](repeating: 9, count: 32))
        let verdict = try Archive.verify(bytes, trusting: other)
        #expect(verdict.codes == ["key_unexpected"] && !verdict.isKeyTrusted)
    }
}
