import EventCoding
import EventStorage
import SQLite
import SessionDomain

/// The event that a replay stands on, read from the statement column by column as it is asked for. It is valid until the replay goes on.
struct ReplayRow {
    private let row: Statement

    init(_ row: Statement) { self.row = row }

    var position: Int64 { row.int64(0) }
    var session: SessionID { SessionID(uuid(1) ?? UUID128(high: 0, low: 0)) }
    var version: Int64 { row.int64(2) }
    var eventID: UUID128 { uuid(3) ?? UUID128(high: 0, low: 0) }
    var typeCode: Int { row.int(4) }
    var schemaVersion: Int { row.int(5) }
    var recordedAtMilliseconds: Int64 { row.int64(6) }
    var occurredAtMilliseconds: Int64? { row.optionalInt64(7) }
    var flags: EventFlags { EventFlags(rawValue: row.int(8)) }
    var commandID: String? { row.optionalText(9) }
    var correlationID: String? { row.optionalText(10) }
    var causationPosition: Int64? { row.optionalInt64(11) }
    var actor: String? { row.optionalText(12) }
    var pieceCode: Int? { row.optionalInt64(13).map(Int.init) }
    var captureID: UUID128? { uuid(14) }
    var sourceCode: Int? { row.optionalInt64(15).map(Int.init) }
    var outcomeCode: Int? { row.optionalInt64(16).map(Int.init) }
    var reason: String? { row.optionalText(17) }
    var durationMilliseconds: Int64? { row.optionalInt64(18) }
    var facts: String { row.text(19) }
    var hasPrivateHalf: Bool { row.int64(20) != 0 }

    private func uuid(_ column: Int32) -> UUID128? { row.words(column).map { UUID128(high: $0.0, low: $0.1) } }

    var type: String { EventNames.types[typeCode] ?? String(typeCode) }
    var piece: String? { pieceCode.flatMap { EventNames.pieces[$0] } }
    var source: String? { sourceCode.flatMap { EventNames.sources[$0] } }
    var outcome: String? { outcomeCode.flatMap { EventNames.outcomes[$0] } }
}

/// Names of the codes in an event's columns.
enum EventNames {
    static let types = Dictionary(uniqueKeysWithValues: EventType.allCases.map { ($0.code, $0.name) })
    static let pieces = Dictionary(uniqueKeysWithValues: Piece.allCases.map { ($0.code, $0.rawValue) })
    static let sources = Dictionary(uniqueKeysWithValues: CaptureSource.allCases.map { ($0.code, $0.rawValue) })
    static let outcomes = Dictionary(uniqueKeysWithValues: OutcomeCode.allCases.map { ($0.rawValue, $0.name) })

    /// A few words for a line of many, such as `passport_front captured (camera)`.
    static func summary(type: String, piece: String?, source: String?, reason: String?) -> String {
        let what = type.hasPrefix("piece_") && piece != nil ? String(type.dropFirst(6)) : type
        var words = what.replacing("_", with: " ")
        if let piece, !type.hasPrefix(piece) { words = "\(piece) \(words)" }
        switch (source, reason) {
        case (nil, nil): return words
        case (let source?, nil): return "\(words) (\(source))"
        case (nil, let reason?): return "\(words) (\(reason.replacing("_", with: " ")))"
        case (let source?, let reason?): return "\(words) (\(source), \(reason.replacing("_", with: " ")))"
        }
    }
}
