import Audit
import Cryptography
import EventCoding
import EventStorage
import Foundation
import SQLite
import SessionDomain
import Testing
import Vault

/// A ledger with a few sessions of one confirmed front each, made with the storage modules alone. Removed with its owner.
final class SmallLedger {
    let folder: String
    let connection: Connection
    let vault: Vault
    private let writer: EventWriter
    private(set) var captures: [CaptureID] = []
    private var counter: UInt64 = 0
    private var versions: [Int64: Int64] = [:]
    private let mediaBytes: Int
    private let personal: String

    /// - Parameter mediaBytes: of each original, before it is sealed.
    /// - Parameter personal: what each session's first event holds in its private half.
    init(sessions: Int, mediaBytes: Int = 200_000, personal: String = "a name") throws {
        self.mediaBytes = mediaBytes
        self.personal = personal
        folder = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)").path
        let master = try #require(MasterKey([UInt8](repeating: 7, count: 32)))
        vault = try Vault.create(folder: folder, masterKey: master)
        let ledgerID = UUID128(high: 0x0102_0304_0506_7000, low: 0x8000_0000_0000_0001)
        connection = try EventDatabase.create(
            at: folder + "/ledger.sqlite", ledgerID: ledgerID, epoch: ledgerID, codeNames: [], nowMilliseconds: 1)
        writer = try EventWriter(connection, ledgerID: ledgerID)
        try vault.ensureMinted(through: Int64(sessions))
        for _ in 0..<sessions { try addSession() }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func identifier() -> UUID128 {
        counter += 1
        return UUID128(high: 0x0102_0304_0506_7000, low: 0x8000_0000_0001_0000 + counter)
    }

    private func addSession() throws {
        let session = SessionID(identifier())
        _ = try writer.begin()
        let number = try writer.insertSession(session, keyNumber: writer.nextKeyNumber)
        try append(EncodedEvent.plain(.sessionSuspended, facts: #"{"at_ms":1}"#), session, number, personal: personal)
        try writer.commit(atMilliseconds: 1_000)

        let key = try vault.sessionKey(number)
        let capture = CaptureID(identifier())
        let sealed = try vault.write(
            .media, ObjectID(capture), key: key, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: mediaBytes))
        let captured = PieceCaptured(
            piece: .passportFront, captureID: capture, source: .camera, attempt: 1,
            media: MediaFacts(
                type: "image/jpeg", bytes: sealed.plainByteCount, width: 1, height: 1, orientation: 1, flags: []),
            commitment: try #require(Digest256(bytes: key.commitment(of: sealed.plainDigest).bytes)),
            sealedDigest: try #require(Digest256(bytes: sealed.sealedDigest.bytes)), sealedBytes: sealed.sealedByteCount,
            rotation: nil, measurements: [], fields: nil, confirmsAfterChecks: false, supersedes: nil)
        _ = try writer.begin()
        try append(.event(.pieceCaptured(captured)), session, number)
        try append(
            .event(
                .pieceConfirmed(
                    .init(
                        piece: .passportFront, captureID: capture, destination: "verifier", confirmedAtMilliseconds: 2))),
            session, number)
        try writer.commit(atMilliseconds: 2_000)
        captures.append(capture)
    }

    /// Appends one more event, or several, in a commit of its own.
    func add(_ event: EncodedEvent, session number: Int64, times: Int = 1) throws {
        let row = try #require(try EventReader(connection).session(number: number))
        _ = try writer.begin()
        for _ in 0..<times { try append(event, row.id, number) }
        try writer.commit(atMilliseconds: 3_000)
    }

    /// Signs what the log is, with a key that is made for it, and leaves everything in the database file alone.
    func sign() throws {
        let seed = try vault.ensureSigningSeed(1)
        let key = Ed25519.publicKey(seed: seed)
        let ledgerID = writer.ledgerID
        _ = try writer.begin()
        try writer.insert(
            StoredSigningKey(generation: 1, publicKey: key, createdAtMilliseconds: 1, endorsement: nil))
        let added = SigningKeyAdded(
            generation: 1, publicKey: try #require(Digest256(bytes: key)), endorsement: nil)
        try append(EventCoder.encode(.signingKeyAdded(added)), SessionID(ledgerID), 0)
        try writer.commit(atMilliseconds: 3_000)
        try signAgain()
    }

    /// Signs what the log is by now with that key.
    func signAgain() throws {
        let (seed, ledgerID, size) = (try vault.signingSeed(1), writer.ledgerID, writer.lastPosition)
        let key = Ed25519.publicKey(seed: seed)
        let checkpoint = Checkpoint(
            ledgerID: ledgerID, epoch: ledgerID, treeSize: size, root: try TreeReader(connection).root(size: size),
            signedAtMilliseconds: 3_000)
        let signed = SignedCheckpoint(checkpoint, key: NoteKey(name: checkpoint.origin, publicKey: key), seed: seed)
        try write { writer in
            try writer.insert(
                StoredCheckpoint(
                    treeSize: size, root: checkpoint.root.bytes, generation: 1, signedAtMilliseconds: 3_000,
                    note: signed.note.encoded))
        }
        _ = try connection.checkpoint(.truncate)
    }

    /// Runs a transaction that appends no event.
    func write(_ body: (EventWriter) throws -> Void) throws {
        _ = try writer.begin()
        try body(writer)
        try writer.commit(atMilliseconds: 4_000)
    }

    private func append(
        _ event: EncodedEvent, _ session: SessionID, _ number: Int64, personal: String? = nil
    ) throws {
        let id = identifier()
        let sealed = try personal.map {
            try vault.sessionKey(number).seal(
                Array($0.utf8), .privateHalf(event: ObjectID(high: id.high, low: id.low)),
                session: ObjectID(high: session.uuid.high, low: session.uuid.low))
        }
        versions[number, default: 0] += 1
        try writer.append(
            NewEvent(
                eventID: id, encoded: event, occurredAtMilliseconds: nil, flags: [], commandID: nil, correlationID: nil,
                causationPosition: nil, actor: nil, sealed: sealed),
            session: session, number: number, version: versions[number] ?? 0, recordedAtMilliseconds: 1_000)
    }

    func mediaPath(_ session: Int) -> String { "\(folder)/\(mediaName(session))" }

    /// In the ledger's folder.
    func mediaName(_ session: Int) -> String {
        let name = captures[session - 1].text
        return "media/\(name.suffix(2))/\(name)"
    }

    /// The same ledger in another folder, whose databases have smaller pages, so that few bytes hold every kind of them, and whose pool of
    /// keys ends with the sessions.
    ///
    /// - Parameter pageBytes: nil leaves both files as they are.
    func copy(to other: String, pageBytes: Int?) throws {
        _ = try connection.checkpoint(.truncate)
        try FileManager.default.copyItem(atPath: folder, toPath: other)
        guard let pageBytes else { return }
        for path in ["ledger.sqlite", "keys/keys.sqlite"].map({ other + "/" + $0 }) {
            try Self.vacuum(path, pageBytes, lastKey: captures.count)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try FileManager.default.moveItem(atPath: path + ".small", toPath: path)
        }
    }

    private static func vacuum(_ path: String, _ pageBytes: Int, lastKey: Int) throws {
        let whole = try Connection(path: path, mode: .write)
        if path.hasSuffix("keys.sqlite") {
            try withoutTriggers(whole) { try whole.execute("DELETE FROM session_key WHERE key_no > \(lastKey)") }
        }
        try whole.execute("PRAGMA page_size = \(pageBytes); VACUUM INTO '\(path).small'")
    }

    /// Changes rows the way somebody with a hex editor would: without the triggers, which are back afterwards.
    func tamper(_ sql: String) throws { try Self.withoutTriggers(connection) { try connection.execute(sql) } }

    private static func withoutTriggers(_ connection: Connection, _ body: () throws -> Void) throws {
        let list = try Statement(connection, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        var triggers: [(name: String, sql: String)] = []
        while try list.step() { triggers.append((list.text(0), list.text(1))) }
        list.reset()
        for trigger in triggers { try connection.execute("DROP TRIGGER \(trigger.name)") }
        try body()
        for trigger in triggers { try connection.execute(trigger.sql) }
    }

    func verify(withKeys: Bool = true, _ options: AuditOptions = AuditOptions()) throws -> VerificationReport {
        try LedgerVerifier(
            EventDatabase.openForReading(folder + "/ledger.sqlite"), files: SealedFiles(ledger: folder),
            vault: withKeys ? vault : nil, options: options
        ).verify()
    }
}

extension ObjectID {
    init(_ capture: CaptureID) { self.init(high: capture.uuid.high, low: capture.uuid.low) }
}

extension EncodedEvent {
    static func plain(_ type: EventType, capture: CaptureID? = nil, reason: String? = nil, facts: String) -> EncodedEvent {
        EncodedEvent(
            type: type.code, schemaVersion: 1, piece: capture == nil ? nil : 1, captureID: capture?.uuid, source: nil,
            outcome: nil,
            reason: reason, durationMilliseconds: nil, facts: facts)
    }

    static func event(_ event: SessionEvent) -> EncodedEvent { EventCoder.encode(event) { _ in "" } }
}
