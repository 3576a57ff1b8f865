import Audit
import SQLite
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// What leaves the machine so that nobody who owns it can change what was.
@Suite struct CheckpointTests {
    @Test func `a checkpoint is signed once for what the log is, and is checked without the ledger`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        #expect(throws: LedgerError.self) { try ledger.makeCheckpoint() }
        #expect(try ledger.newestCheckpoint() == nil)
        try begin(3, ledger)
        let first = try ledger.makeCheckpoint()
        let last = try ledger.lastPosition()
        #expect(first.isNew && first.generation == 1 && first.treeSize == last)
        let again = try ledger.makeCheckpoint()
        #expect(!again.isNew && again.note == first.note && again.keyPosition == nil)
        let names = try #require(first.signed.checkpoint.names)
        #expect(names.ledgerID == ledger.ledgerID && names.epoch == ledger.epoch)
        #expect(first.signed.checkpoint.epoch == ledger.epoch)

        let note = try SignedCheckpoint(parsing: first.note)
        try note.check(NoteKey(parsing: first.key.text + "\n"))
        for position in 1...first.treeSize {
            let proof = try InclusionProof(JSONValue.parse(ledger.inclusionProof(position: position).json.canonical))
            try proof.check(key: first.key)
            #expect(proof.checkpoint == first.note && proof.treeSize == first.treeSize)
        }
        try begin(2, ledger)
        let second = try ledger.makeCheckpoint()
        let grown = try ConsistencyProof(
            JSONValue.parse(ledger.consistencyProof(from: first.treeSize, to: second.treeSize).json.canonical))
        try grown.check()
        #expect(grown.fromRoot == first.signed.checkpoint.root && grown.toRoot == second.signed.checkpoint.root)
        let report = try ledger.verify()
        #expect(report.isSound && report.checkpoints == 2 && report.provenThrough == second.treeSize)
    }

    @Test func `a proof of another event, tree or key is refused`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        try begin(6, ledger)
        let made = try ledger.makeCheckpoint()
        let proof = try ledger.inclusionProof(position: 3)
        let other = try ledger.inclusionProof(position: 4)
        func altered(
            position: Int64? = nil, size: Int64? = nil, event: [UInt8]? = nil, leaf: InclusionProof? = nil,
            path: InclusionProof? = nil, note: String? = nil
        ) -> InclusionProof {
            InclusionProof(
                position: position ?? proof.position, treeSize: size ?? proof.treeSize, leaf: (leaf ?? proof).leaf,
                path: (path ?? proof).path, root: proof.root, event: event ?? (leaf ?? proof).event,
                checkpoint: note ?? proof.checkpoint)
        }
        try altered().check(key: made.key)
        for wrong in [
            altered(position: 4), altered(position: 0), altered(size: proof.treeSize + 1), altered(leaf: other),
            altered(path: other), altered(event: other.event), altered(note: made.note.replacing("time 1", with: "time 2")),
        ] {
            #expect(throws: AuditError.self) { try wrong.check(key: made.key) }
        }
        // the event and the leaf of another position, under that position's path: true, and not what is claimed
        let moved = InclusionProof(
            position: 3, treeSize: other.treeSize, leaf: other.leaf, path: other.path, root: other.root, event: other.event,
            checkpoint: other.checkpoint)
        #expect(throws: AuditError.self) { try moved.check(key: made.key) }
        let stranger = try TemporaryLedger()
        try begin(1, stranger.ledger)
        let foreign = try stranger.ledger.makeCheckpoint()
        #expect(throws: AuditError.self) { try proof.check(key: foreign.key) }
        #expect(throws: AuditError.self) { try proof.check(against: foreign.note, key: foreign.key) }
        #expect(throws: LedgerError.self) { try ledger.inclusionProof(position: 99) }
        #expect(throws: LedgerError.self) { try ledger.consistencyProof(from: 5, to: 4) }
    }

    @Test(arguments: [
        "UPDATE event SET facts = '{}' WHERE position = 2",
        "DELETE FROM event WHERE position = 5; DELETE FROM event_commit WHERE last_position = 5",
        "UPDATE checkpoint SET root = zeroblob(32)",
        "UPDATE checkpoint SET note = replace(note, 'time 1', 'time 2')",
    ])
    func `nothing is signed that contradicts what was signed before`(sql: String) throws {
        let temporary = try TemporaryLedger()
        try begin(4, temporary.ledger)
        _ = try temporary.ledger.makeCheckpoint()
        temporary.ledger.closeAndWait()
        try tamper(temporary.path, sql)
        let ledger = try temporary.reopened()
        defer { ledger.closeAndWait() }
        if !sql.hasPrefix("DELETE") { try begin(1, ledger) }
        for trustsTiles in [true, false] {
            var options = CheckpointOptions()
            options.trustsTiles = trustsTiles
            #expect {
                _ = try ledger.makeCheckpoint(options)
            } throws: {
                ($0 as? LedgerError)?.code.rawValue == "checkpoint_contradicts"
            }
        }
        #expect(try count(temporary.path, "checkpoint") == 1)
        #expect(try !ledger.verify().isSound)
    }

    @Test func `a new key is endorsed by the one before it, and both are under the tree`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        try begin(2, ledger)
        let first = try ledger.makeCheckpoint()
        var options = CheckpointOptions()
        options.makesNewKey = true
        options.commandID = try commandID("new-key")
        let second = try ledger.makeCheckpoint(options)
        #expect(second.generation == 2 && second.key.publicKey != first.key.publicKey && second.keyPosition == 4)
        // the command again: the same checkpoint, and no third key
        try begin(1, ledger)
        #expect(try ledger.makeCheckpoint(options).note == second.note)
        let keys = try ledger.signingKeys()
        #expect(keys.keys.count == 2 && keys.unendorsed.isEmpty)
        let types = try ledger.events(after: 0).map(\.type)
        #expect(types.filter { $0 == "signing_key_added" }.count == 2)
        var trusting = AuditOptions()
        trusting.key = first.key
        trusting.checkpoints = [first.note, second.note]
        #expect(try ledger.verify(trusting).isSound)
        // who trusts the second alone does not take the first one's word
        trusting.key = second.key
        #expect(try ledger.verify(trusting).problems.map(\.code) == [.checkpointUnsigned])
        ledger.closeAndWait()
        // a machine's owner puts a key of their own in place
        try tamper(temporary.path, "UPDATE signing_key SET endorsement = zeroblob(64) WHERE generation = 2")
        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        trusting.key = first.key
        let found = Set(try reopened.verify(trusting).problems.map(\.code))
        #expect(found.isSuperset(of: [.keyNotEndorsed, .signingKeyWrong, .checkpointUnsigned]))
    }

    @Test func `F30 a tail that was cut off consistently is found by the last checkpoint, also by one from outside`() throws {
        let temporary = try TemporaryLedger()
        try begin(5, temporary.ledger)
        let made = try temporary.ledger.makeCheckpoint()
        temporary.ledger.closeAndWait()
        try tamper(
            temporary.path,
            """
            DELETE FROM event WHERE position > 3; DELETE FROM event_commit WHERE last_position > 3;
            DELETE FROM signing_key; DELETE FROM session WHERE session_no > 3; DELETE FROM flow WHERE session_no > 3
            """)
        let ledger = try temporary.reopened()
        defer { ledger.closeAndWait() }
        let own = try ledger.verify().problems
        #expect(own.contains { $0.code == .logTruncated && $0.position == 4 || $0.code == .checkpointUnsigned })
        try tamper(temporary.path, "DELETE FROM checkpoint")
        // whoever owns the machine has taken every trace away
        #expect(try ledger.verify().isSound)
        var options = AuditOptions()
        options.checkpoints = [made.note]
        options.key = made.key
        #expect(try !ledger.verify(options).isSound)
    }

    @Test func `what was cut off is counted from its first position`() throws {
        let temporary = try TemporaryLedger()
        try begin(3, temporary.ledger)
        _ = try temporary.ledger.makeCheckpoint()
        try begin(4, temporary.ledger)
        let made = try temporary.ledger.makeCheckpoint()
        temporary.ledger.closeAndWait()
        try tamper(
            temporary.path,
            """
            DELETE FROM event WHERE position > 5; DELETE FROM event_commit WHERE last_position > 5;
            DELETE FROM session WHERE session_no > 4; DELETE FROM checkpoint WHERE tree_size > 5
            """)
        let ledger = try temporary.reopened()
        defer { ledger.closeAndWait() }
        #expect(try ledger.verify().isSound)
        var options = AuditOptions()
        options.checkpoints = [made.note]
        options.key = made.key
        let problems = try ledger.verify(options).problems
        #expect(problems.map(\.code) == [.logTruncated] && problems[0].position == 6)
        #expect(problems[0].message.contains("6 to \(made.treeSize)"))
    }

    @Test func `a restored ledger is another log, so that it cannot contradict what the first one gave out`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        try begin(3, ledger)
        let before = try ledger.makeCheckpoint()
        let backup = temporary.folder + "/a.backup"
        let saved = try ledger.backup(to: backup)
        try begin(3, ledger)
        let lost = try ledger.makeCheckpoint()
        let report = try Ledger.restore(from: backup, to: temporary.folder + "/restored")
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        try begin(2, restored)
        let after = try restored.makeCheckpoint()
        #expect(after.signed.checkpoint.origin != lost.signed.checkpoint.origin)
        #expect(after.key.publicKey == before.key.publicKey && after.generation == before.generation)
        #expect(try restored.verify().isSound)
        var options = AuditOptions()
        options.key = before.key
        options.checkpoints = [before.note, after.note]
        #expect(try restored.verify(options).isSound)
        options.checkpoints = [lost.note]
        let problems = try restored.verify(options).problems
        #expect(problems.map(\.code) == [.lostByRestore] && problems[0].position == saved.position + 1)
        // the epoch is what the restore says it is
        restored.closeAndWait()
        try tamper(report.folder, "UPDATE ledger SET epoch = randomblob(16)")
        let altered = try Ledger.open(folder: report.folder)
        defer { altered.closeAndWait() }
        #expect(try altered.verify().problems.map(\.code) == [.epochUnexplained])
    }
}

/// Begins sessions, one event each.
func begin(_ count: Int, _ ledger: Ledger) throws {
    for _ in 0..<count { _ = try ledger.start(StartRequest(configuration: configuration([.selfie]))) }
}

/// Changes rows the way somebody with a hex editor would: without the triggers, which are back afterwards.
func tamper(_ ledger: String, _ sql: String) throws {
    let connection = try Connection(path: ledger + "/ledger.sqlite", mode: .write)
    let list = try Statement(connection, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    var triggers: [(name: String, sql: String)] = []
    while try list.step() { triggers.append((list.text(0), list.text(1))) }
    list.reset()
    for trigger in triggers { try connection.execute("DROP TRIGGER \(trigger.name)") }
    try connection.execute(sql)
    for trigger in triggers { try connection.execute(trigger.sql) }
}

func count(_ ledger: String, _ table: String) throws -> Int {
    let rows = try Statement(Connection(path: ledger + "/ledger.sqlite", mode: .read), "SELECT count(*) FROM \(table)")
    return try rows.step() ? rows.int(0) : 0
}
