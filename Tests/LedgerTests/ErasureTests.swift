import EventStorage
import Glibc
import Outbox
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

/// S98, F21: what an erasure leaves of a person, whatever happens meanwhile.
@Suite struct ErasureTests {
    /// A person's session with captures of several pieces, and another person's beside it.
    private final class Site {
        let temporary: TemporaryLedger
        let person: SessionID
        let other: SessionID
        let media: [Marked]
        let otherMedia: Marked
        let subject = "subject-of-the-erasure-\(SecureRandom.words().0)"
        let transaction = "transaction-of-the-erasure-\(SecureRandom.words().0)"
        var ledger: Ledger { temporary.ledger }
        var tombstones: String { ledger.settings.tombstonePath(in: temporary.path) ?? "" }

        init() throws {
            let temporary = try TemporaryLedger()
            self.temporary = temporary
            media = try ["passport-front.jpg", "passport-back.jpg", "selfie.jpg"].map { try Marked($0, in: temporary.folder) }
            otherMedia = try Marked("selfie.jpg", in: temporary.folder)
            var start = StartRequest(configuration: configuration([.passportFront, .passportBack, .selfie]))
            start.subject = subject
            start.transactionID = transaction
            start.clientKey = subject + "-key"
            person = try temporary.ledger.start(start).session
            other = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            for (piece, media) in zip([Piece.passportFront, .passportBack, .selfie], media) {
                try capture(piece, media, in: person)
            }
            try capture(.selfie, otherMedia, in: other)
        }

        func capture(_ piece: Piece, _ media: Marked, in session: SessionID) throws {
            let captured = try ledger.capture(
                CaptureRequest(session: session, piece: piece, path: media.path, source: .camera))
            guard case .captured = captured.outcome else { throw LedgerError.closed }
            _ = try ledger.confirm(piece, in: session, CommandOptions())
            try FileSystem.remove(media.path)
        }

        /// Everything that could be read back: the wrapped key, the keyed look-ups, the sealed originals, the plain text.
        func traces() throws -> [String: [[UInt8]]] {
            let keys = try Connection(path: temporary.path + "/keys/keys.sqlite", mode: .read)
            let row = try Statement(keys, "SELECT wrapped FROM session_key WHERE key_no = ?1")
            row.bind(try keyNumber(person), at: 1)
            try #require(try row.step())
            let vault = try ledger.keys
            return [
                "key": [row.blob(0), Array(row.blob(0)[1..<29]), Array(row.blob(0)[13..<45])],
                "look-up": [
                    vault.lookupDigest(.subject, Array(subject.utf8)),
                    vault.lookupDigest(.transaction, Array(transaction.utf8)),
                    vault.lookupDigest(.media, media[0].sha256),
                ],
                "original": try sealed(person),
                "text": media.map(\.marker) + [Array(subject.utf8), Array(transaction.utf8)] + media.map(\.sha256),
            ]
        }

        /// 32 bytes out of each sealed original.
        func sealed(_ session: SessionID) throws -> [[UInt8]] {
            try ledger.session(session).flow.pieces.compactMap(\.captureID).map { capture in
                let path = "\(temporary.path)/media/\(capture.text.suffix(2))/\(capture.text)"
                return Array(try readFile(path)[40_000..<40_032])
            }
        }

        func keyNumber(_ session: SessionID) throws -> Int64 {
            let row = try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.events.session(session) }
            }
            return try #require(row?.keyNumber)
        }

        /// The other person's originals still open, and all of it is as an independent reader wants it.
        func isWhole(_ ledger: Ledger) throws {
            let capture = try #require(try ledger.session(other).flow.pieces.first?.captureID)
            let key = try ledger.keys.sessionKey(keyNumber(other))
            let digest = try ledger.keys.read(.media, ObjectID(capture.uuid), key: key).verify()
            #expect(digest.bytes == otherMedia.sha256)
        }

        func isErased(_ ledger: Ledger) throws {
            #expect(try ledger.keys.keyState(keyNumber(person)) == .destroyed)
            #expect(try ledger.session(person).flow.status == .erased)
            #expect(try ledger.find(.subject(subject)) == [])
            #expect(try ledger.find(.transaction(transaction)) == [])
            #expect(try ledger.find(.clientKey(subject + "-key")) == [])
            #expect(try ledger.find(.media(media[0].sha256)) == [])
            #expect(try ledger.deliveries(of: person).map(\.status) == [.withdrawn, .withdrawn, .withdrawn])
            #expect(try tree(temporary.path + "/media").count == 1)
            let unfinished = try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.events.unfinishedErasures() }
            }
            #expect(unfinished == [])
            let entries = try Tombstones.read(tombstones)
            #expect(Set(entries.map(\.keyNumber)) == [try keyNumber(person)])
            #expect(entries.allSatisfy { $0.session == person })
            try isWhole(ledger)
        }
    }

    @Test func `F21 after an erasure no file holds the key, a look-up, an original or a word of the person`() throws {
        let site = try Site()
        let folders = [site.temporary.folder]
        let traces = try site.traces()
        // positive controls: what is looked for is there before, and only what may be there
        for (name, needles) in traces where name != "text" {
            for needle in needles { #expect(try !files(under: folders, holding: [needle]).isEmpty, "\(name)") }
        }
        #expect(try files(under: folders, holding: try #require(traces["text"])) == [])
        #expect(contains32(site.media[0].bytes, site.media[0].marker))

        let erased = try site.ledger.erase(site.person)
        #expect(erased.media == 3 && erased.withdrawnDeliveries == 3)
        for (name, needles) in traces {
            #expect(try files(under: folders, holding: needles) == [], "\(name)")
        }
        try site.isErased(site.ledger)

        let sessionText = site.person.text
        site.ledger.closeAndWait()
        for (name, needles) in traces { #expect(try files(under: folders, holding: needles) == [], "\(name), closed") }
        try Oracle.findsNothingWrong(site.temporary.path, erased: [sessionText])
    }

    private func contains32(_ bytes: [UInt8], _ marker: [UInt8]) -> Bool { bytes[6..<38].elementsEqual(marker) }

    @Test func `an erased session refuses every command by name and is erased only once`() throws {
        let site = try Site()
        let photograph = try Marked("selfie.jpg", in: site.temporary.folder)
        _ = try site.ledger.erase(site.person)
        let last = try site.ledger.lastPosition()
        let (ledger, person) = (site.ledger, site.person)
        let calls: [(String, () throws -> Void)] = [
            ("confirm", { _ = try ledger.confirm(.selfie, in: person, CommandOptions()) }),
            ("retake", { _ = try ledger.retake(.selfie, in: person, CommandOptions()) }),
            ("drop", { _ = try ledger.drop([.selfie], in: person, CommandOptions()) }),
            ("suspend", { _ = try ledger.suspend(person, CommandOptions()) }),
            ("resume", { _ = try ledger.resume(person, CommandOptions()) }),
            ("exit", { _ = try ledger.exit(person, CommandOptions()) }),
            ("cancel", { _ = try ledger.cancel(person, CommandOptions()) }),
            ("bind", { _ = try ledger.bindTransaction("t", in: person, CommandOptions()) }),
            ("hologram", { _ = try ledger.startHologram(person, CommandOptions()) }),
            (
                "capture",
                {
                    _ = try ledger.capture(
                        CaptureRequest(session: person, piece: .selfie, path: photograph.path, source: .camera))
                }
            ),
        ]
        for (name, call) in calls {
            #expect { try call() } throws: { ($0 as? LedgerError)?.code.rawValue == "session_erased" || record(name, $0) }
        }
        let again = try site.ledger.erase(site.person)
        #expect(again.media == 0 && again.withdrawnDeliveries == 0)
        #expect(try site.ledger.lastPosition() == last)
        try site.isErased(site.ledger)
    }

    private func record(_ name: String, _ error: any Error) -> Bool {
        Issue.record("\(name): \(error)")
        return false
    }

    /// What a crash can leave: each is the state after one more durable step.
    enum Step: CaseIterable { case event, tombstone, key, media }

    @Test(arguments: Step.allCases)
    func `a crash after each step of an erasure is finished when the ledger is opened next`(last: Step) throws {
        let site = try Site()
        let traces = try site.traces()
        // It stops behind its event.
        _ = try site.ledger.beginErasure(site.person, CommandOptions())
        #expect(try site.ledger.session(site.person).flow.status == .erased)
        #expect { try site.ledger.exit(site.person, CommandOptions()) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "session_erased"
        }
        #expect(try site.ledger.keys.keyState(site.keyNumber(site.person)) == .active)

        let number = try site.keyNumber(site.person)
        let captures = try site.ledger.session(site.person).flow.pieces.compactMap(\.captureID)
        if last != .event {
            try Tombstones.append(
                .init(session: site.person, keyNumber: number, erasedAtMilliseconds: 1), to: site.tombstones)
        }
        if last == .key || last == .media { try site.ledger.keys.destroy(number, atMilliseconds: 1) }
        if last == .media { for capture in captures { try site.ledger.keys.remove(.media, ObjectID(capture.uuid)) } }

        let reopened = try site.temporary.reopened()
        defer { reopened.closeAndWait() }
        try site.isErased(reopened)
        for (name, needles) in traces {
            #expect(try files(under: [site.temporary.folder], holding: needles) == [], "\(name)")
        }
        #expect(try Set(reopened.timeline(site.person).map(\.type).suffix(1)) == ["session_erased"])
    }

    @Test func `without the tombstone file no erasure is begun, and one that was begun keeps nobody else from the ledger`()
        throws
    {
        let site = try Site()
        try FileSystem.rename(site.tombstones, to: site.tombstones + ".away")
        #expect { try site.ledger.erase(site.person) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "tombstones_missing"
        }
        #expect(try site.ledger.session(site.person).flow.status != .erased)
        #expect(try site.ledger.erasureStuckSince() == nil)
        // begun before the file went away
        _ = try site.ledger.beginErasure(site.person, CommandOptions())
        let opened = try site.temporary.reopened()
        defer { opened.closeAndWait() }
        _ = try opened.start(StartRequest(configuration: configuration([.selfie])))
        #expect(try opened.keys.keyState(site.keyNumber(site.person)) == .active)
        #expect(try opened.erasureStuckSince() != nil)
        #expect(try opened.attention().needs.first?.kind == "erasure_stuck")
        #expect(try opened.doctor(fix: true).findings.contains { $0.code == "erasure_unfinished" && !$0.fixed })
        try FileSystem.rename(site.tombstones + ".away", to: site.tombstones)
        #expect(try opened.doctor(fix: true).findings.contains { $0.code == "erasure_unfinished" && $0.fixed })
        try site.isErased(opened)
    }

    @Test func `doctor adds the erasures that the tombstone file lacks`() throws {
        let site = try Site()
        _ = try site.ledger.erase(site.person)
        let line = try Tombstones.read(site.tombstones)
        try FileDescriptor(opening: site.tombstones, .write).truncate(to: 0)
        #expect(try site.ledger.doctor(fix: false).findings.contains { $0.code == "tombstones_incomplete" && !$0.fixed })
        #expect(try site.ledger.doctor(fix: true).findings.contains { $0.code == "tombstones_incomplete" && $0.fixed })
        #expect(try Tombstones.read(site.tombstones) == line)
        #expect(line.first?.ledger == site.ledger.ledgerID)
    }

    @Test func `a process killed anywhere in an erasure leaves it undone or lets the next one finish it`() async throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "killed erasure"))
        var finished = 0
        for _ in 0..<6 {
            let site = try Site()
            let (path, person) = (site.temporary.path, site.person.text)
            let delay = UInt32.random(in: 0...30_000, using: &random)
            await #expect(processExitsWith: .signal(9)) {
                [path = path as String, person = person as String, delay = delay as UInt32] in
                let ledger = try Ledger.open(folder: path)
                let session = try #require(SessionID(person))
                let killer = Task.detached {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                _ = try ledger.erase(session)
                await killer.value
            }
            let ledger = try site.temporary.reopened()
            defer { ledger.closeAndWait() }
            if try ledger.timeline(site.person).last?.type == "session_erased" {
                finished += 1
                try site.isErased(ledger)
            } else {
                #expect(try ledger.keys.keyState(site.keyNumber(site.person)) == .active)
                _ = try ledger.erase(site.person)
                try site.isErased(ledger)
            }
        }
        print("killed erasure: \(finished) of 6 had begun")
    }

    @Test func `F21 a capture killed anywhere leaves nothing of the picture in the ledger or in a temporary folder`()
        async throws
    {
        var random = SeededRandom(seed: SeededRandom.seed(for: "killed capture"))
        for _ in 0..<4 {
            let temporary = try TemporaryLedger()
            let photograph = try Marked("passport-front.jpg", in: temporary.folder)
            let session = try temporary.ledger.start(StartRequest(configuration: configuration([.passportFront]))).session
            let scratch = temporary.folder + "/tmp"
            try FileSystem.makeFolder(scratch)
            let (path, person, file) = (temporary.path, session.text, photograph.path)
            let delay = UInt32.random(in: 0...20_000, using: &random)
            await #expect(processExitsWith: .signal(9)) {
                [
                    path = path as String, person = person as String, file = file as String, scratch = scratch as String,
                    delay = delay as UInt32
                ] in
                unsafe setenv("TMPDIR", scratch, 1)
                let ledger = try Ledger.open(folder: path)
                let session = try #require(SessionID(person))
                let killer = Task.detached {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                _ = try ledger.capture(
                    CaptureRequest(session: session, piece: .passportFront, path: file, source: .camera))
                _ = try ledger.rebuild()
                await killer.value
            }
            #expect(try files(under: [temporary.folder], holding: [photograph.marker]) == [photograph.path])
            #expect(try files(under: [temporary.path, scratch], holding: [photograph.marker, photograph.sha256]) == [])
        }
    }
}
