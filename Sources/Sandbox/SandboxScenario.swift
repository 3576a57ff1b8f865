/// What the endpoints answer, and what goes wrong on the way. The JSON form is described in `docs/sandbox.md`.
///
/// The first rule that fits a request is followed. Without one everything is verified with a synthetic payload, and a
/// hologram scores 0.93.
package struct SandboxScenario: Sendable, Equatable {
    package var rules: [Rule]
    /// Requests without exactly this `Authorization` are answered with 401.
    package var requiredAuthorization: String?

    package init(rules: [Rule] = [], requiredAuthorization: String? = nil) {
        self.rules = rules
        self.requiredAuthorization = requiredAuthorization
    }

    package struct Rule: Sendable, Equatable {
        package var match: Match
        /// What a new submission is answered; the default answer when nil. A repeated one gets its first answer.
        package var answer: Answer?
        /// Answers 202 first and the outcome at the status address.
        package var later: Later?
        /// Spoils the answer on the wire, also a repeated one.
        package var fault: Fault?
        /// Time between taking the submission in and answering it.
        package var delayMilliseconds: Int

        package init(
            _ match: Match = Match(), answer: Answer? = nil, later: Later? = nil, fault: Fault? = nil,
            delayMilliseconds: Int = 0
        ) {
            self.match = match
            self.answer = answer
            self.later = later
            self.fault = fault
            self.delayMilliseconds = delayMilliseconds
        }
    }

    package struct Match: Sendable, Equatable {
        package var destination: SandboxDestination?
        package var piece: String?
        package var sessionID: String?
        package var captureID: String?
        /// Which requests of the scope, counted from 1 since the scenario was set; all when nil.
        package var nth: Nth?
        package var scope: Scope

        package init(
            destination: SandboxDestination? = nil, piece: String? = nil, sessionID: String? = nil, captureID: String? = nil,
            nth: Nth? = nil, per scope: Scope = .piece
        ) {
            self.destination = destination
            self.piece = piece
            self.sessionID = sessionID
            self.captureID = captureID
            self.nth = nth
            self.scope = scope
        }
    }

    package enum Nth: Sendable, Equatable {
        case only([Int])
        case range(from: Int, to: Int?)

        func contains(_ number: Int) -> Bool {
            switch self {
            case .only(let numbers): numbers.contains(number)
            case .range(let from, let to): number >= from && number <= to ?? .max
            }
        }
    }

    /// What requests are counted by.
    package enum Scope: String, Sendable, CaseIterable {
        /// All requests of a destination.
        case request
        /// Those with the same idempotency key.
        case key
        /// Well-formed ones for a piece, whatever the session.
        case piece
        /// Well-formed ones for a piece of a session.
        case session
        /// Well-formed ones for a capture (for the hologram: for a video).
        case capture
    }

    package enum Answer: Sendable, Equatable {
        case verified(payload: SandboxJSON?, dropPieces: [String])
        case rejected(reason: String, staffReason: String?, dropPieces: [String])
        /// Leaves nothing behind: the same key is processed anew.
        case failed(message: String)
        case score(String)
        /// Any JSON, for endpoints with other names.
        case raw(SandboxJSON)

        var isFailed: Bool {
            if case .failed = self { true } else { false }
        }
    }

    package struct Later: Sendable, Equatable {
        /// How often the status address says 202 before it has the outcome.
        package var polls: Int
        package var retryAfter: String?
        /// Accepted and then lost: the status address says 404 and nothing was taken in.
        package var isLost: Bool

        package init(polls: Int = 1, retryAfter: String? = nil, isLost: Bool = false) {
            self.polls = polls
            self.retryAfter = retryAfter
            self.isLost = isLost
        }
    }

    package enum Fault: Sendable, Equatable {
        case drop(Drop, isReset: Bool)
        case status(Int, headers: [HeaderField], isStored: Bool, isBeforeReading: Bool)
        case body(Body, isStored: Bool)
    }

    package struct HeaderField: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Drop: String, Sendable, CaseIterable {
        case beforeReading = "before_reading"
        case whileReading = "while_reading"
        /// The body is complete; nothing is taken in.
        case afterReading = "after_reading"
        /// Taken in; the acknowledgement is lost.
        case afterStoring = "after_storing"
        /// Taken in; the answer breaks off.
        case whileAnswering = "while_answering"
    }

    /// A status 200 that is not the answer.
    package enum Body: String, Sendable, CaseIterable {
        case html, empty, truncated
        case wrongSchema = "wrong_schema"
        case wrongCapture = "wrong_capture"
    }
}

extension SandboxScenario.Rule {
    /// Decided when only the head of a request is known.
    var actsBeforeReading: Bool {
        switch fault {
        case .drop(.beforeReading, _), .drop(.whileReading, _): true
        case .status(_, _, _, let isBeforeReading): isBeforeReading
        default: false
        }
    }
}
