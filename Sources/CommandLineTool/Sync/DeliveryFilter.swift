import CaptureLedger
import Outbox
import SessionDomain

/// Which deliveries a verb is about.
struct DeliveryFilter {
    static let options: [Option] = [
        .value("cause", "CODE", "only those parked or withdrawn for it, such as failed_permanently"),
        .value("destination", "NAME", "only those to it"),
        .choice("piece", Piece.allCases.map(\.rawValue), "only of this piece"),
        .value("session", "ID", "only this session's"),
        .value("since", "T", "only those confirmed since then: Unix milliseconds, or how long ago, such as 90m"),
    ]

    let session: SessionID?
    private let cause: String?
    private let destination: String?
    private let piece: String?
    private let since: Int64?

    init(_ invocation: Invocation, now: Int64) throws(Complaint) {
        session = try invocation.session("session")
        cause = invocation.text("cause")
        destination = invocation.text("destination")
        piece = invocation.text("piece")
        since = try invocation.moment("since", now: now)
    }

    var isEmpty: Bool { session == nil && cause == nil && destination == nil && piece == nil && since == nil }

    func fits(_ row: DeliveryRow) -> Bool {
        if let session, session != row.session { return false }
        if let cause, cause != row.cause { return false }
        if let destination, destination != row.destination { return false }
        if let piece, piece != row.pieceName { return false }
        return since.map { row.confirmedAtMilliseconds >= $0 } ?? true
    }
}

extension Invocation {
    func session(_ option: String) throws(Complaint) -> SessionID? {
        guard let text = text(option) else { return nil }
        guard let id = SessionID(text) else {
            throw .usage("--\(option) is not a session's id.", remedy: "Copy it from capture-ledger session list.")
        }
        return id
    }

    /// A moment as Unix milliseconds, or as a length of time with its unit, which is how long ago.
    func moment(_ option: String, now: Int64) throws(Complaint) -> Int64? {
        guard let text = text(option) else { return nil }
        if let milliseconds = Int64(text), milliseconds >= 0 { return milliseconds }
        guard text.last?.isLetter == true, let ago = DurationText.milliseconds(text) else {
            throw .usage("--\(option) is not a time.", remedy: "Write Unix milliseconds, or how long ago, such as 90m or 2d.")
        }
        return now - ago
    }
}
