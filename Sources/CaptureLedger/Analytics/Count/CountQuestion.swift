package import SessionDomain

/// One question with a number for an answer.
package struct CountQuestion: Sendable, Hashable {
    package enum What: String, Sendable, CaseIterable {
        case started
        case captured
        case refused
        case failedChecks = "failed_checks"
        case passedChecks = "passed_checks"
        case confirmed
        case verified
        case rejected
        case parked
        case completed
        case exited
        case expired
        case cancelled
        case erased

        /// It happens to a capture, and not to a session as a whole.
        package var isOfCapture: Bool {
            switch self {
            case .captured, .refused, .failedChecks, .passedChecks, .confirmed, .verified, .rejected, .parked: true
            case .started, .completed, .exited, .expired, .cancelled, .erased: false
            }
        }

        /// Somebody said no and gave a reason.
        package var hasReason: Bool { [.refused, .failedChecks, .rejected, .parked].contains(self) }

        /// A no that can be told by who said it.
        package var hasOrigin: Bool { [.refused, .failedChecks, .rejected].contains(self) }
    }

    package enum Grouping: String, Sendable, CaseIterable {
        case origin, context, day, reason, piece
    }

    package enum Unit: String, Sendable, CaseIterable {
        /// Each time counts.
        case captures
        /// A session counts once, however often it happened there.
        case sessions
    }

    package var what: What
    package var unit: Unit
    package var piece: Piece?
    package var reason: String?
    package var context: String?
    package var grouping: Grouping?
    /// By the store's clock, in milliseconds since 1970.
    package var sinceMilliseconds: Int64?
    /// The moment behind the last.
    package var untilMilliseconds: Int64?
    /// Whose days they are, and in whose time the answer speaks.
    package var zone = NamedTimeZone.utc
    /// What was appended later does not count; nil: everything that is known.
    package var position: Int64?
    package var listsSessions = false

    package init(_ what: What, unit: Unit? = nil) {
        self.what = what
        self.unit = unit ?? (what.isOfCapture ? .captures : .sessions)
    }
}

extension CountQuestion {
    /// What is counted, in one sentence.
    package func definition(firstPosition: Int64, lastPosition: Int64) -> String {
        var parts = [thing]
        if unit == .sessions, what.isOfCapture { parts = ["sessions, each once, with \(thing)"] }
        if let piece { parts.append("of \(piece.rawValue)") }
        if let reason { parts.append("for the reason \(reason)") }
        if let context { parts.append("in the context \(context)") }
        if what == .verified || what.hasReason { parts.append("(an answer that came too late to change anything is left out)") }
        switch (sinceMilliseconds, untilMilliseconds) {
        case (nil, nil): break
        case (let since?, nil): parts.append("recorded from \(time(since)) on")
        case (nil, let until?): parts.append("recorded before \(time(until))")
        case (let since?, let until?): parts.append("recorded from \(time(since)) until before \(time(until))")
        }
        if sinceMilliseconds != nil || untilMilliseconds != nil { parts.append("(\(zone.name))") }
        parts.append(
            firstPosition > lastPosition
                ? "up to position \(lastPosition)" : "in the positions \(firstPosition) to \(lastPosition) of the log")
        let text = parts.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private var thing: String {
        switch what {
        case .started: "sessions that were started"
        case .captured: "captures that were taken in"
        case .refused: "media that could not be taken in, so that nothing was captured"
        case .failedChecks: "captures that failed their checks"
        case .passedChecks: "captures that passed their checks"
        case .confirmed: "captures that were confirmed"
        case .verified: "captures that the verifier accepted"
        case .rejected: "captures that the verifier rejected"
        case .parked: "captures whose delivery gave up"
        case .completed: "sessions that were completed"
        case .exited: "sessions that the user left, whether or not they were resumed later"
        case .expired: "sessions that expired"
        case .cancelled: "sessions that the host called off"
        case .erased: "sessions that were erased"
        }
    }

    private func time(_ milliseconds: Int64) -> String { zone.text(milliseconds) }
}

extension NamedTimeZone {
    /// `2026-10-01 00:00`, with seconds where there are some.
    package func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
        let local = seconds + Int64(offset(atSeconds: seconds))
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let clock = local - day * 86_400
        let text =
            "\(CivilDay(number: day).text) \(Digits.text(Int(clock / 3_600), count: 2)):\(Digits.text(Int(clock / 60 % 60), count: 2))"
        return clock % 60 == 0 ? text : text + ":" + Digits.text(Int(clock % 60), count: 2)
    }
}
