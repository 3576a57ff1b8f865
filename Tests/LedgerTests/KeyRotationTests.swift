import EventStorage
import Glibc
import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

/// The master key is exchanged without an original being lost, whatever happens meanwhile.
@Suite struct KeyRotationTests {
    private static func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? LedgerError)?.code.rawValue ?? "\(error)" }
        return nil
    }

    /// A ledger with an original, and an erased person.
    private final class Site {
        let temporary: TemporaryLedger
        let capture: CaptureID
        let erased: SessionID
        var path: String { temporary.path }
        var next: String { temporary.folder + "/keys/next.key" }
        var settings: String { path + "/capture-ledger.json5" }
        let first: MasterKeySource

        init() throws {
            let temporary = try TemporaryLedger()
            self.temporary = temporary
            let ledger = temporary.ledger
            first = try #require(ledger.settings.masterKey)
            var ids: [(SessionID, CaptureID)] = []
            for _ in 0..<2 {
                let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
                let captured = try ledger.capture(
                    CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
                guard case .captured(let id, _) = captured.outcome else { throw LedgerError.closed }
                ids.append((session, id))
            }
            capture = ids[0].1
            erased = ids[1].0
            _ = try ledger.erase(erased)
        }

        func isWhole(_ ledger: Ledger) throws {
            let media = try ledger.openMedia(capture)
            #expect(try Array(media.read(at: 0, limit: 1 << 24)) == readFile(fixture("selfie.jpg")))
            #expect(try ledger.proveDeleted(session: erased).isProved)
            let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            _ = try ledger.capture(
                CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        }

        func opens(_ source: MasterKeySource) throws -> Bool {
            do throws(VaultError) {
                _ = try Vault.open(folder: path, masterKey: try MasterKey.load(source), isReadOnly: true)
                return true
            } catch {
                guard error.code == .wrongMasterKey else { throw error }
                return false
            }
        }

        func rotations() throws -> Int {
            let connection = try EventDatabase.openForReading(path + "/ledger.sqlite")
            let row = try Statement(connection, "SELECT count(*) FROM event WHERE type = 108")
            return try row.step() ? row.int(0) : 0
        }
    }

    @Test func `after a rotation the new key opens everything and the old one nothing, and it can be done again`() throws {
        let site = try Site()
        let ledger = site.temporary.ledger
        let done = try ledger.rotateMasterKey(to: .file(site.next))
        #expect(done.hasChanged && done.isTidy && done.generation == 1 && done.keys == 256 && done.receipt.positions.count == 1)
        #expect(try site.opens(.file(site.next)) && !site.opens(site.first))
        // the same process goes on, and what it makes now opens too
        try site.isWhole(ledger)
        ledger.closeAndWait()
        let text = String(decoding: try readFile(site.settings), as: UTF8.self)
        #expect(!text.contains("previous_master_key") && text.contains(site.next))
        let reopened = try Ledger.open(folder: site.path)
        try site.isWhole(reopened)
        let again = try reopened.rotateMasterKey(to: .file(site.next))
        #expect(!again.hasChanged && again.isTidy && again.generation == 1)
        #expect(try site.rotations() == 1)
        let back = try reopened.rotateMasterKey(to: site.first)
        #expect(back.hasChanged && back.generation == 2)
        #expect(try site.opens(site.first) && !site.opens(.file(site.next)))
        try site.isWhole(reopened)
        reopened.closeAndWait()
        // a wrapped key can still be exchanged by nobody else
        let keys = try Connection(path: site.path + "/keys/keys.sqlite", mode: .write)
        #expect(throws: SQLiteError.self) {
            try keys.execute("UPDATE session_key SET wrapped = zeroblob(61) WHERE key_no = 1")
        }
        #expect(throws: SQLiteError.self) {
            try keys.execute(
                "UPDATE session_key SET state = 1, wrapped = zeroblob(61), destroyed_at_ms = NULL WHERE key_no = 2")
        }
        try Oracle.findsNothingWrong(site.path, erased: [site.erased.text])
    }

    @Test func `a process killed anywhere in a rotation leaves a ledger that opens, and the next one finishes it`() async throws
    {
        var random = SeededRandom(seed: SeededRandom.seed(for: "killed rotation"))
        var changed = 0
        for _ in 0..<6 {
            let site = try Site()
            site.temporary.ledger.closeAndWait()
            let (path, next) = (site.path, site.next)
            let delay = UInt32.random(in: 0...25_000, using: &random)
            await #expect(processExitsWith: .signal(9)) {
                [path = path as String, next = next as String, delay = delay as UInt32] in
                let ledger = try Ledger.open(folder: path)
                let killer = Task.detached {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                _ = try ledger.rotateMasterKey(to: .file(next))
                await killer.value
            }
            if try FileStatus.of(next) != nil, try site.opens(.file(next)) { changed += 1 }
            let ledger = try Ledger.open(folder: path)
            try site.isWhole(ledger)
            let done = try ledger.rotateMasterKey(to: .file(next))
            #expect(done.isTidy)
            ledger.closeAndWait()
            #expect(try site.opens(.file(next)) && !site.opens(site.first))
            #expect(try site.rotations() == 1)
            let reopened = try Ledger.open(folder: path)
            try site.isWhole(reopened)
            reopened.closeAndWait()
        }
        print("killed rotation: \(changed) of 6 were past the keys")
    }

    @Test func `each step of a rotation that a crash leaves opens with whichever key fits`() throws {
        let site = try Site()
        site.temporary.ledger.closeAndWait()
        let file = SettingsFile(LedgerFiles(folder: site.path), .owner)
        let next = MasterKeySource.file(site.next)
        let master = try MasterKey.create(at: site.next)
        // the settings name both, the keys are as they were
        try file.name(next, previous: site.first)
        var ledger = try Ledger.open(folder: site.path)
        try site.isWhole(ledger)
        #expect(try ledger.doctor(fix: false).findings.contains { $0.code == "rotation_unfinished" })
        ledger.closeAndWait()
        // the keys are wrapped anew, and no event says so yet
        let vault = try Vault.open(folder: site.path, masterKey: try MasterKey.load(site.first))
        #expect(try vault.rewrap(with: master) > 0)
        ledger = try Ledger.open(folder: site.path)
        try site.isWhole(ledger)
        let done = try ledger.rotateMasterKey(to: next)
        #expect(!done.hasChanged && done.generation == 1 && done.isTidy)
        #expect(try ledger.doctor(fix: false).findings.allSatisfy { $0.severity == .note })
        #expect(try site.rotations() == 1)
        ledger.closeAndWait()
    }

    @Test func `a rotation that cannot be finished changes no key, and the ledger opens as before`() throws {
        let site = try Site()
        let ledger = site.temporary.ledger
        // a key that opens under nothing, as a damaged disk leaves it
        let keys = try Connection(path: site.path + "/keys/keys.sqlite", mode: .write)
        let row = try Statement(keys, "SELECT sql FROM sqlite_schema WHERE name = 'session_key_is_only_ever_destroyed'")
        try #require(try row.step())
        let trigger = row.text(0)
        row.reset()
        try keys.execute("DROP TRIGGER session_key_is_only_ever_destroyed")
        try keys.execute("UPDATE session_key SET wrapped = zeroblob(61) WHERE key_no = 200")
        try keys.execute(trigger)
        #expect(Self.code { _ = try ledger.rotateMasterKey(to: .file(site.next)) } == "wrong_master_key")
        #expect(try site.opens(site.first) && !site.opens(.file(site.next)))
        #expect(try site.rotations() == 0)
        try site.isWhole(ledger)
        ledger.closeAndWait()
        let reopened = try Ledger.open(folder: site.path)
        defer { reopened.closeAndWait() }
        try site.isWhole(reopened)
    }

    @Test func `whoever has the ledger open while another rotates writes nothing more, and says why`() throws {
        let site = try Site()
        let other = try Ledger.open(folder: site.path)
        defer { other.closeAndWait() }
        _ = try site.temporary.ledger.rotateMasterKey(to: .file(site.next))
        let last = try site.temporary.ledger.lastPosition()
        for _ in 0..<2 {
            #expect(
                Self.code { _ = try other.start(StartRequest(configuration: configuration([.selfie]))) } == "master_key_rotated"
            )
            #expect(Self.code { _ = try other.rotateMasterKey(to: .file(site.next + "2")) } == "master_key_rotated")
            #expect(Self.code { _ = try other.openMedia(site.capture) } == "master_key_rotated")
        }
        #expect(try site.temporary.ledger.lastPosition() == last)
        let reopened = try Ledger.open(folder: site.path)
        defer { reopened.closeAndWait() }
        try site.isWhole(reopened)
    }

    @Test func `a key that is lost or wrong is named, and nothing is written`() throws {
        let site = try Site()
        site.temporary.ledger.closeAndWait()
        let folder = site.temporary.folder
        func key(_ text: String, _ name: String) throws -> String {
            let path = folder + "/" + name
            try FileDescriptor(opening: path, .createNew, mode: 0o600).write(Array(text.utf8))
            return path
        }
        let text = String(decoding: try readFile(site.settings), as: UTF8.self)
        func named(_ source: String) throws {
            try FileSystem.remove(site.settings)
            let changed = Settings.replacing("master_key", with: source, in: text)
            try FileDescriptor(opening: site.settings, .createNew).write(Array(changed.utf8))
        }
        let cases = [
            (folder + "/nowhere.key", "master_key_missing"), (try key("12", "short.key"), "master_key_malformed"),
            (try key(String(repeating: "1", count: 66) + "\n", "long.key"), "master_key_malformed"),
            (try key(String(repeating: "1", count: 64) + "\n", "other.key"), "wrong_master_key"),
            ("credential:capture-ledger-of-nobody", "master_key_missing"), ("command:exit 3", "master_key_missing"),
            ("command:echo no key", "master_key_malformed"),
        ]
        func contents() throws -> [[UInt8]] {
            try tree(site.path).filter { !$0.hasSuffix(".json5") && !$0.hasSuffix("-shm") }.map { try readFile($0) }
        }
        let before = try contents()
        for (source, code) in cases {
            try named(source)
            #expect { _ = try Ledger.open(folder: site.path) } throws: {
                guard let error = $0 as? LedgerError else { return false }
                return error.code.rawValue == code && !error.remedy.isEmpty
            }
            #expect(try contents() == before, "\(source)")
        }
        // which one was tried is said, and a command's text is not
        try named(folder + "/other.key")
        #expect { _ = try Ledger.open(folder: site.path) } throws: { "\($0)".contains("other.key") }
        try named(site.first.text)
        let ledger = try Ledger.open(folder: site.path)
        defer { ledger.closeAndWait() }
        for (source, code) in cases where code != "wrong_master_key" && !source.hasSuffix("nowhere.key") {
            let asked = try #require(MasterKeySource(source))
            #expect(Self.code { _ = try ledger.rotateMasterKey(to: asked) } == code, "\(source)")
        }
        try site.isWhole(ledger)
    }

    @Test func `settings that cannot be changed are a person's to change, and nothing is changed before`() throws {
        let site = try Site()
        site.temporary.ledger.closeAndWait()
        let text = #"{ "master_key": "\#(site.first.text)", "tombstones": "\#(site.temporary.folder)/t.jsonl" }"#
        try FileSystem.remove(site.settings)
        try FileDescriptor(opening: site.settings, .createNew).write(Array(text.utf8))
        let ledger = try Ledger.open(folder: site.path)
        defer { ledger.closeAndWait() }
        #expect(Self.code { _ = try ledger.rotateMasterKey(to: .file(site.next)) } == "settings_not_changed")
        #expect(try site.opens(site.first))
        #expect(try readFile(site.settings) == Array(text.utf8))
    }
}
