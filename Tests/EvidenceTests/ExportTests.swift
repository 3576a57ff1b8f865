import Audit
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct ExportTests {
    @Test func `what an export that was killed left under its name is replaced by the next one, and a folder is named`() throws
    {
        let scene = try Scene(delivers: false)
        let path = scene.folder + "/again.evidence"
        for name in [".part", ".part.report", ".part.lock"] {
            try FileDescriptor(opening: path + name, .createNew).write(Array("from before".utf8))
        }
        _ = try scene.ledger.exportEvidence(of: scene.session, to: path)
        #expect(try Archive(path).verify().isSound)
        let left = try FileDescriptor(opening: scene.folder, .folder).names().filter { $0.contains("again.evidence.") }
        #expect(left == [])

        let other = scene.folder + "/other.evidence"
        try FileSystem.makeFolder(other + ".part")
        #expect {
            try scene.ledger.exportEvidence(of: scene.session, to: other)
        } throws: {
            let error = $0 as? LedgerError
            return error?.code.rawValue == "unexpected_kind" && error?.message.contains(other + ".part") == true
        }
        #expect(try FileStatus.of(other) == nil && FileStatus.of(other + ".part")?.kind == .folder)
        #expect(try FileStatus.of(other + ".part.lock") == nil)
    }

    @Test func `what a worker adds while an export is written is for the next one`() throws {
        let scene = try Scene(delivers: false)
        let path = scene.folder + "/meanwhile.evidence"
        let files = try BackupFiles(path)
        let collected = try scene.ledger.collect(scene.session, EvidenceExportOptions())
        let export = try EvidenceExport(
            scene.ledger, collected, try scene.ledger.makeExportProof(), EvidenceExportOptions(), into: files)
        try export.writeRecords()
        try scene.sync()
        try export.writeRequests()
        try export.writeMedia()
        try export.writeProof()
        try export.writeReport()
        // killed now, it would leave nothing to read behind
        let lying = try FileDescriptor(opening: scene.folder, .folder).names().filter { $0.hasPrefix("meanwhile.") }
        #expect(lying == ["meanwhile.evidence.part.lock"])
        #expect(try FileStatus.of(path + ".part.lock")?.size == 0)
        _ = try export.finish()
        try files.place()
        let verdict = try Archive(path).verify()
        #expect(verdict.problems == [] && verdict.answers == 3)
        #expect(try Archive(scene.export()).verify().answers == 4)
    }

    @Test func `an export holds what was stored byte for byte, tar reads it, and product and oracle find it sound`() throws {
        let scene = try Scene.whole.get()
        let path = try scene.export()
        let archive = try Archive(path)
        let bytes = try readFile(path)

        let verdict = try archive.verify()
        #expect(verdict.isSound && verdict.provenEvents == verdict.events && verdict.isManifestSigned)
        #expect(verdict.committedMedia == 5, "three originals and two pages; the video is destroyed")
        #expect(verdict.answers == 4 && verdict.provenAttempts == 4 && verdict.openedPrivateHalves > 5)
        let judged = try Oracle.judge(bytes)
        #expect(judged["ok"] == .bool(true), "\(judged.canonical)")
        #expect(judged["events"]?.asInt == verdict.events && judged["media"]?.asInt == 5)

        let originals = archive.entries.filter { $0.name.hasPrefix("media/") }.map(\.bytes)
        for name in ["passport-front.jpg", "selfie.jpg", "passport-front-retake.jpg"] {
            #expect(originals.contains(try readFile(fixture(name))), "\(name)")
        }
        #expect(contains(archive["left-out.jsonl"], "it was destroyed at position"))
        let page = archive["report.html"]
        #expect(contains(page, "&lt;script&gt;") && !contains(page, "<script") && !contains(page, "<b>Lovelace"))
        let listed = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "tar", "-tf", path], limitMilliseconds: 10_000, outputLimit: 1 << 16)
        #expect(listed.end == .exited(0))
        #expect(
            String(decoding: listed.output, as: UTF8.self).split(separator: "\n").map(String.init)
                == archive.entries.map(\.name))
        #expect(try FileStatus.of(path)?.mode == 0o600)
        for marker in [Scene.clientKey, Scene.transaction, Scene.staffReason, Scene.payload] {
            #expect(contains(bytes, marker), "\(marker) was to be exported")
        }
    }

    @Test func `S98 a redacted export holds nothing personal in any byte, and still proves every event`() throws {
        let whole = try Scene.exported.get().bytes
        let archive = try Scene.redacted.get()
        let redacted = archive.bytes
        let picture = try readFile(fixture("selfie.jpg"))
        for marker in Scene.markers { #expect(!contains(redacted, marker), "\(marker)") }
        #expect(Scene.markers.allSatisfy { contains(whole, $0) }, "the same scan finds them where they are")
        #expect(holds(whole, picture[2000..<2032]) && !holds(redacted, picture[2000..<2032]))

        let verdict = try archive.verify()
        #expect(verdict.isSound && verdict.isRedacted && verdict.provenEvents == verdict.events)
        #expect(verdict.committedMedia == 0 && verdict.openedPrivateHalves == 0 && verdict.attempts > 0)
        #expect(contains(archive["findings.jsonl"], "blur_score"))
        #expect(try Oracle.judge(redacted)["ok"] == .bool(true))

        var forged = archive
        let media = try Scene.exported.get()
        let name = try media.name("media/")
        let place = try #require(forged.entries.firstIndex { $0.name == "left-out.jsonl" })
        forged.entries.insert((name, media[name]), at: place)
        try forged.forgeDigests()
        #expect(try forged.verify().codes.contains("redaction_broken"))
        #expect(try Oracle.judge(forged.bytes)["ok"] == .bool(false))
    }

    @Test func `an erased session exports what is left of it, and says so; in its undo window it is refused`() throws {
        let scene = try Scene()
        _ = try scene.ledger.requestErasure(scene.session)
        #expect(throws: LedgerError.self) { _ = try scene.export() }
        let waiting = try Archive(try scene.export(redacted: true))
        #expect(contains(waiting["events.jsonl"], "erasure_requested"), "what the ledger's own stream says of the session")
        _ = try scene.ledger.erase(scene.session)
        let path = try scene.export()
        let bytes = try readFile(path)
        for marker in Scene.markers { #expect(!contains(bytes, marker), "\(marker)") }
        let archive = try Archive(path)
        let verdict = try archive.verify()
        #expect(verdict.isSound && verdict.isErased && verdict.committedMedia == 0 && verdict.leftOut > 5)
        #expect(contains(archive["events.jsonl"], #""state":"destroyed""#))
        #expect(contains(archive["left-out.jsonl"], "the session is erased"))
        #expect(contains(archive["report.html"], "what was personal is gone"))
        #expect(try Oracle.judge(bytes)["ok"] == .bool(true))
    }

    @Test func `that an export was made is on record, nothing is overwritten, and nothing is left of one that was refused`()
        throws
    {
        let scene = try Scene.whole.get()
        let path = try scene.export()
        let record = try String(decoding: readFile(scene.path + "/access.jsonl"), as: UTF8.self)
        #expect(record.contains(#""what":"evidence_exported""#) && record.contains(scene.session.text))
        let before = try readFile(path)
        func refusal(_ session: SessionID, _ path: String) -> String? {
            do throws(LedgerError) {
                _ = try scene.ledger.exportEvidence(of: session, to: path)
                return nil
            } catch { return error.code.rawValue }
        }
        #expect(refusal(scene.session, path) == "file_exists")
        #expect(try readFile(path) == before)
        #expect(refusal(scene.session, scene.folder + "/none/x") == "no_such_folder")
        let unknown = try #require(SessionID("01a22d34-3dbf-7f11-a4f0-b36e10e43bc9"))
        #expect(refusal(unknown, scene.folder + "/unknown") == "no_such_session")
        let left = try FileDescriptor(opening: scene.folder, .folder).names().filter {
            $0.contains("unknown") || $0.contains(".part")
        }
        #expect(left == [])
    }

    @Test func `an original that is damaged in the ledger is left out by name`() throws {
        let scene = try Scene()
        let capture = try #require(try scene.ledger.session(scene.session).flow.pieces.first { $0.piece == .selfie }?.captureID)
        let sealed = "\(scene.path)/media/\(capture.text.suffix(2))/\(capture.text)"
        var bytes = try readFile(sealed)
        bytes[bytes.count / 2] ^= 1
        try FileDescriptor(opening: sealed, .write).write(bytes)
        let archive = try Archive(try scene.export())
        #expect(try archive.verify().isSound)
        #expect(contains(archive["left-out.jsonl"], "media/\(capture.text).jpg"))
        #expect(contains(archive["left-out.jsonl"], "it does not open"))
    }
}
