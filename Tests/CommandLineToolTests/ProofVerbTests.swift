import SessionDomain
import SystemCalls
import Testing

@testable import CommandLineTool

@Suite struct ProofVerbTests {
    @Test func `a checkpoint and a proof go out as files, and the log is held against them`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let empty = await desk.run("--json", "audit", "checkpoint")
        #expect(empty.exit == .refused && empty.errorCode == "no_events")
        for _ in 0..<3 { _ = try await desk.session("selfie", "--checks", "off") }
        let note = desk.home + "/kiosk.checkpoint"
        let made = try await desk.done("audit", "checkpoint", "--out", note)
        let checkpoint = try #require(made["checkpoint"])
        let size = try #require(checkpoint["tree_size"]?.asInteger)
        let key = try #require(checkpoint["key"]?.asString)
        let stored = try FileDescriptor(opening: note, .read).readToEnd(limit: 1 << 16)
        #expect(checkpoint["note"]?.asString == String(decoding: stored, as: UTF8.self))
        let proof = try await desk.done("audit", "prove", "--position", "2", "--out", desk.home + "/proof.json")
        #expect(proof["tree_size"]?.asInteger == size && proof["checkpoint"] == checkpoint["note"])
        let requests = try desk.write("inclusion 1\nconsistency 1 \(size)\ninclusion 3 3\n", to: "requests")
        let many = await desk.run("audit", "prove", "--requests", requests)
        #expect(many.exit == .done && many.text.split(separator: "\n").count == 3)
        for words in [
            ["audit", "prove"], ["audit", "prove", "--position", "1", "--from", "1"],
            ["audit", "prove", "--requests", try desk.write("everything\n", to: "wrong")],
        ] {
            #expect(await desk.run(words).exit == .usage)
        }
        #expect(await desk.run("audit", "prove", "--position", "99").exit == .notFound)

        let keyFile = try desk.write(key + "\n", to: "kiosk.key")
        for trusted in [key, keyFile] {
            let sound = try await desk.done("audit", "verify", "--checkpoint", note, "--key", trusted)
            #expect(sound["proven_through"]?.asInteger == size && sound["checkpoints"]?.asInteger == 2)
        }
        #expect(await desk.run("audit", "verify", "--key", "nonsense+1+2").exit == .refused)
        #expect(await desk.run("audit", "verify", "--checkpoint", desk.home + "/none").exit == .notFound)
        let other = try desk.write(
            String(decoding: stored, as: UTF8.self).replacing("\n\(size)\n", with: "\n\(size + 1)\n"), to: "other")
        let refused = await desk.run("--json", "audit", "verify", "--checkpoint", other)
        #expect(refused.exit == .refused)
        #expect(try refused.json["problems"]?.asArray?.first?["code"]?.asString == "checkpoint_unsigned")
        #expect(await desk.run("--json", "audit", "witness").errorCode == "no_witness")
    }
}
