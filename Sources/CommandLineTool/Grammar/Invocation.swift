import CaptureLedger
import SessionDomain
import Synchronization
import SystemCalls

/// A command line that was understood: the verb, its words and its options.
struct Invocation: Sendable {
    let verb: Verb
    private(set) var positionals: [String] = []
    private(set) var values: [String: [String]] = [:]
    let environment: [String: String]
    /// The ledgers that the verb opened; closed when it is done, whatever became of it.
    let opened = OpenedLedgers()
    /// When the process was started, on the clock that counts suspension.
    var startedNanoseconds = SystemClock.boottimeNanoseconds()

    init(verb: Verb, positionals: [String], values: [String: [String]], environment: [String: String]) {
        self.verb = verb
        self.positionals = positionals
        self.values = values
        self.environment = environment
    }

    func has(_ option: String) -> Bool { values[option] != nil }
    func text(_ option: String) -> String? { values[option]?.last }
    func texts(_ option: String) -> [String] { values[option] ?? [] }

    /// The word in that place; only for one that its verb requires.
    subscript(_ index: Int) -> String { positionals[index] }
    func word(_ index: Int) -> String? { index < positionals.count ? positionals[index] : nil }
    func words(from index: Int) -> [String] { Array(positionals.dropFirst(index)) }

    var ledgerPath: String {
        if let path = text("ledger") { return path }
        if let path = environment["CAPTURE_LEDGER"], !path.isEmpty { return path }
        return "./my.ledger"
    }
}

/// Ledgers to close: a closed one leaves an empty write-ahead log behind, so that a reader without write permission can open it.
final class OpenedLedgers: Sendable {
    private let ledgers = Mutex<[Ledger]>([])

    func add(_ ledger: Ledger) { ledgers.withLock { $0.append(ledger) } }

    /// - Parameter kept: stays open.
    func closeAll(but kept: Ledger? = nil) {
        let closing = ledgers.withLock { ledgers in
            defer { ledgers.removeAll { $0 !== kept } }
            return ledgers.filter { $0 !== kept }
        }
        for ledger in closing { ledger.closeAndWait() }
    }
}

extension Invocation {
    /// A whole number within `range`.
    func integer(_ option: String, in range: ClosedRange<Int64> = 0...Int64.max) throws(Complaint) -> Int64? {
        guard let text = text(option) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            let bounds =
                range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw .usage(
                "--\(option) is not a whole number \(bounds).",
                remedy: "Write it in digits, such as --\(option) \(range.lowerBound).")
        }
        return value
    }

    /// A length of time in seconds, or such as `90m` and `2h`, as milliseconds.
    func seconds(_ option: String) throws(Complaint) -> Int64? {
        guard let text = text(option) else { return nil }
        guard let value = DurationText.milliseconds(text) else {
            throw .usage(
                "--\(option) is not a number of seconds.",
                remedy: "Write it in seconds, such as --\(option) 50, or as 90m or 2h.")
        }
        return value
    }

    func commandID() throws(Complaint) -> CommandID? {
        guard let text = text("command-id") else { return nil }
        guard let id = CommandID(text) else {
            throw .usage(
                "--command-id is not a name of 1 to 128 visible ASCII characters.",
                remedy: "Use letters, digits and hyphens, and nothing personal.")
        }
        return id
    }

    func expectedVersion() throws(Complaint) -> Int64? { try integer("expected-version") }

    func sessionID(_ index: Int = 0) throws(Complaint) -> SessionID {
        guard let id = SessionID(self[index]) else {
            throw .usage(
                "\(verb.positionals[index].name) is not a session's id.", remedy: "Copy it from capture-ledger session list.")
        }
        return id
    }

    func piece(_ text: String) throws(Complaint) -> Piece {
        let known = Piece.allCases.map(\.rawValue)
        guard let piece = Piece(rawValue: text.trimmed) else {
            throw .usage("A piece that is not known was named.", remedy: Spelling.remedy(for: text.trimmed, in: known))
        }
        return piece
    }
}

extension String {
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
