import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

extension DeliveryFilter {
    static let options: [Option] = [
        .value("cause", "CODE", "only those parked or withdrawn for it, such as failed_permanently"),
        .value("destination", "NAME", "only those to it"),
        .choice("piece", Piece.allCases.map(\.rawValue), "only of this piece"),
        .value("session", "ID", "only this session's"),
        .value("since", "T", "only those confirmed since then: Unix milliseconds, or how long ago, such as 90m"),
    ]

    /// What the options of a verb ask for.
    init(_ invocation: Invocation, now: Int64) throws(Complaint) {
        self.init()
        session = try invocation.session("session")
        cause = try invocation.text("cause").map { (cause) throws(Complaint) in try Self.known(cause) }
        destination = invocation.text("destination")
        piece = invocation.text("piece").flatMap(Piece.init(rawValue:))
        sinceMilliseconds = try invocation.moment("since", now: now)
    }

    /// The causes are an open set; one that is nearly a known one is misspelled, and would find nothing without saying so.
    private static func known(_ cause: String) throws(Complaint) -> String {
        let known =
            ParkCause.all.map(\.rawValue) + DeliveryFold.withdrawals
            + [CaptureFailure.rejectedByVerifier, .scoreBelowPassMark].map(\.rawValue)
        guard !known.contains(cause), let near = Spelling.nearest(to: cause, in: known) else { return cause }
        throw .usage("--cause names no cause that is known.", remedy: "Did you mean \(near)?")
    }

    /// Nothing was asked for.
    var isEmpty: Bool { self == DeliveryFilter() }
}

extension Invocation {
    func session(_ option: String) throws(Complaint) -> SessionID? {
        guard let text = text(option) else { return nil }
        guard let id = SessionID(text) else {
            throw .usage("--\(option) is not a session's id.", remedy: "Copy it from capture-ledger session list.")
        }
        return id
    }
}
