/// Where something stands and why, what happens next by itself and when, and who must act with which command. The sentences are made
/// here alone; whoever shows them adds the times.
package struct Situation: Sendable, Hashable {
    package enum Who: String, Sendable, CaseIterable {
        case nobody
        /// The machine goes on by itself: the next sync.
        case worker
        /// The person who is captured.
        case user
        /// The host's program or staff.
        case host
        case `operator`

        /// Whether a person must do something.
        package var isPerson: Bool { self == .user || self == .host || self == .operator }
    }

    /// A sentence or two.
    package var why: String
    /// When it came about.
    package var sinceMilliseconds: Int64?
    /// What happens by itself, or after what somebody does.
    package var next: String
    /// When that happens, where a clock decides it.
    package var atMilliseconds: Int64?
    package var who: Who
    /// What to run, without the program's name and its ledger; the first one first. `FILE` and `T` stand for what the caller knows.
    package var commands: [String]
    /// A code that has a section in the runbook.
    package var code: String?

    package init(
        _ why: String, since: Int64? = nil, next: String, at: Int64? = nil, _ who: Who, _ commands: [String] = [],
        code: String? = nil
    ) {
        self.why = why
        sinceMilliseconds = since
        self.next = next
        atMilliseconds = at
        self.who = who
        self.commands = commands
        self.code = code
    }

    /// Why, and what is next, on one line.
    package var line: String { "\(why) \(next)" }
}

/// A session whose erasure was asked for and can still be withdrawn.
package struct ErasureWindow: Sendable, Hashable {
    package let requestedAtMilliseconds: Int64
    package let dueAtMilliseconds: Int64

    package init(requestedAtMilliseconds: Int64, dueAtMilliseconds: Int64) {
        self.requestedAtMilliseconds = requestedAtMilliseconds
        self.dueAtMilliseconds = dueAtMilliseconds
    }
}
