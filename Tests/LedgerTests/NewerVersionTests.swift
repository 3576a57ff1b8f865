import EventCoding
import EventStorage
import SQLite
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// A session that a newer version has been at.
@Suite struct NewerVersionTests {
    @Test(arguments: [(99, 1), (5, 99), (24, 99)])
    func `an event of a newer version is kept and skipped, and its session refuses commands`(type: Int, schema: Int) throws {
        let temporary = try TemporaryLedger()
        let (touched, other) = (try start(temporary.ledger), try start(temporary.ledger))
        try append(EncodedEvent.unknown(type, schema), to: touched, in: temporary)

        let ledger = try temporary.reopened()
        defer { ledger.closeAndWait() }
        #expect(try ledger.timeline(touched).count == 2)
        #expect(try ledger.timeline(touched).last?.schemaVersion == schema)
        let view = try ledger.session(touched)
        #expect(view.flow.version == 2 && view.flow.status == .active && view.flow.currentPiece == .selfie)

        let calls: [(String, () throws -> Void)] = [
            ("capture", { _ = try capture(ledger, touched) }),
            ("drop", { _ = try ledger.drop([.selfie], in: touched, CommandOptions()) }),
            ("suspend", { _ = try ledger.suspend(touched, CommandOptions()) }),
            ("exit", { _ = try ledger.exit(touched, CommandOptions()) }),
            ("cancel", { _ = try ledger.cancel(touched, CommandOptions()) }),
        ]
        for (name, call) in calls {
            #expect("\(name)") { try call() } throws: { ($0 as? LedgerError)?.code.rawValue == "needs_newer_version" }
        }
        #expect(try ledger.lastPosition() == 3)
        #expect(try mediaFiles(temporary.path) == 0)

        // nobody else is held up, and a person can still be erased
        _ = try capture(ledger, other)
        #expect(try ledger.erase(touched).session == touched)
        #expect(try ledger.session(touched).flow.status == .erased)
    }

    @Test func `a ledger of a newer schema is read or refused by name, as that schema says, and never written`() throws {
        let temporary = try TemporaryLedger()
        let session = try start(temporary.ledger)
        temporary.ledger.closeAndWait()
        let raw = try Connection(path: temporary.ledger.files.database, mode: .write)
        try raw.execute("INSERT INTO migration VALUES (99, '0099_later', zeroblob(32), 1, 99, 0)")

        #expect { _ = try temporary.reopened() } throws: { namesBoth($0) }
        var reading = LedgerOptions()
        reading.isReadOnly = true
        let readable = try Ledger.open(folder: temporary.path, options: reading)
        #expect(try readable.session(session).flow.version == 1)
        #expect(try Ledger.pendingMigrations(readable.files) == [])
        #expect { try start(readable) } throws: { ($0 as? LedgerError)?.code.rawValue == "read_only" }
        #expect(try readable.lastPosition() == 1)
        readable.closeAndWait()

        try raw.execute("UPDATE migration SET reader = 99 WHERE version = 99")
        #expect { _ = try Ledger.open(folder: temporary.path, options: reading) } throws: { namesBoth($0) }
        #expect { _ = try Ledger.pendingMigrations(LedgerFiles(folder: temporary.path)) } throws: { namesBoth($0) }
    }

    private func namesBoth(_ error: any Error) -> Bool {
        guard let error = error as? LedgerError else { return false }
        return error.code.rawValue == "needs_newer_version" && error.message.contains("99")
            && error.message.contains("knows \(Migrator.current).")
    }

    private func start(_ ledger: Ledger) throws -> SessionID {
        try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
    }

    private func append(_ event: EncodedEvent, to session: SessionID, in temporary: TemporaryLedger) throws {
        let connection = try EventDatabase.openForWriting(temporary.ledger.files.database)
        let row = try #require(try EventReader(connection).session(session))
        let writer = try EventWriter(connection, ledgerID: temporary.ledger.ledgerID)
        let time = writer.recordingTime(wallClock: LedgerClock.system.nowMilliseconds()).milliseconds
        _ = try writer.begin()
        try writer.append(
            NewEvent(
                eventID: Identifiers.fresh(atMilliseconds: time), encoded: event, occurredAtMilliseconds: nil, flags: [],
                commandID: "newer", correlationID: nil, causationPosition: nil, actor: nil, sealed: [1, 2, 3]),
            session: session, number: row.number, version: 2, recordedAtMilliseconds: time)
        try writer.commit(atMilliseconds: time)
    }
}

private func capture(_ ledger: Ledger, _ session: SessionID) throws -> CaptureResultReceipt {
    try ledger.capture(CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
}

/// Sealed originals, whole or half written.
private func mediaFiles(_ ledger: String) throws -> Int {
    try tree(ledger + "/media").count
}

extension EncodedEvent {
    fileprivate static func unknown(_ type: Int, _ schema: Int) -> EncodedEvent {
        EncodedEvent(
            type: type, schemaVersion: schema, piece: 3, captureID: nil, source: nil, outcome: nil, reason: nil,
            durationMilliseconds: nil, facts: #"{"later":true}"#)
    }
}
