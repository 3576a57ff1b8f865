import Cryptography
import EventCoding
import SQLite
import SessionDomain

/// Where the log ends, as far as the open transaction has come, and the memory that its events pass through on their way there.
struct LogEnd: ~Copyable {
    var position: Int64 = 0
    var recordedAtMilliseconds: Int64 = 0
    /// The leaf hashes of the open transaction.
    var leaves: [UInt8] = []
    var hash = SHA256()
    private var row = RowBytes()

    /// Writes one event behind the last one, and its leaf hash behind the others.
    mutating func append(
        _ event: NewEvent, session: SessionID, number: Int64, version: Int64, recordedAtMilliseconds time: Int64,
        _ insert: Statement
    ) throws(SQLiteError) -> Int64 {
        let next = position + 1
        row.removeAll()
        row.append(next)
        row.append(words: session.uuid.high, session.uuid.low)
        row.append(version)
        row.append(words: event.eventID.high, event.eventID.low)
        row.append(event.encoded.type)
        row.append(event.encoded.schemaVersion)
        row.append(time)
        row.append(event.occurredAtMilliseconds)
        row.append(event.flags.rawValue)
        row.append(text: event.commandID)
        row.append(text: event.correlationID)
        row.append(event.causationPosition)
        row.append(text: event.actor)
        row.append(event.encoded.piece)
        if let capture = event.encoded.captureID { row.append(words: capture.high, capture.low) } else { row.appendNull() }
        row.append(event.encoded.source)
        row.append(event.encoded.outcome)
        row.append(text: event.encoded.reason)
        row.append(event.encoded.durationMilliseconds)
        row.append(text: event.encoded.facts)
        row.append(blob: event.sealed)
        try insert.run(row: row, replaced: 2, with: number)
        row.withSpan(&hash) { hash, row in CommitChain.leaf(of: row, using: &hash) }.append(to: &leaves)
        position = next
        recordedAtMilliseconds = max(recordedAtMilliseconds, time)
        return next
    }
}
