import DeliveryMachine
import SQLite
import SchemaFiles
import SessionDomain

extension Ledger {
    /// Answers a question about what happened. The same question at the same position has the same answer for ever: positions are
    /// never reused, events never change, and their analytics rows outlive an erasure.
    ///
    /// - Throws: `position_not_reached`, `reason_unknown`; what ``askAnalytics(_:)`` throws.
    package func count(_ question: CountQuestion) throws(LedgerError) -> CountAnswer {
        var question = question
        return try askAnalytics { (connection, progress) throws(LedgerError) in
            let position = question.position ?? progress.position
            guard position <= progress.position else {
                throw LedgerError(
                    code: .init(rawValue: "position_not_reached"),
                    message: "The log ends at position \(progress.position), which is before the one asked for.",
                    remedy: "Ask at position \(progress.position) or an earlier one.")
            }
            question.position = position
            let first = try question.sinceMilliseconds.map { (time) throws(LedgerError) in try firstPosition(atOrAfter: time) }
            let behind = try question.untilMilliseconds.map { (time) throws(LedgerError) in
                try firstPosition(atOrAfter: time)
            }
            let asked = question
            // of the position that was asked about: what was recorded later adds no day
            let recorded = position == 0 ? nil : try events(after: position - 1, limit: 1).first?.recordedAtMilliseconds
            let reader = CountReader(connection: connection, question: asked, position: position)
            return try counted { () throws(SQLiteError) in
                let whole = try reader.groups(.all).first
                return CountAnswer(
                    question: asked, captures: whole?.captures ?? 0, sessions: whole?.sessions ?? 0, position: position,
                    firstPosition: first ?? 1, lastPosition: min(position, (behind ?? .max) - 1),
                    groups: try asked.grouping.map { (grouping) throws(SQLiteError) in
                        try reader.groups(grouping, lastRecorded: recorded)
                    } ?? [],
                    list: asked.listsSessions ? try reader.sessions() : nil)
            }
        }
    }

    /// Whether anything in this ledger can have had that reason.
    package func hasReason(_ reason: String) throws(LedgerError) -> Bool {
        if CountQuestion.knownReasons.contains(reason) { return true }
        return try reasons().contains(reason)
    }

    /// The reasons that somebody gave here.
    package func reasons() throws(LedgerError) -> [String] {
        try askAnalytics { (connection, _) throws(LedgerError) in
            try counted { () throws(SQLiteError) in
                let statement = try Statement(connection, SchemaFiles.analyticsReportReasons)
                var reasons: [String] = []
                while try statement.step() { reasons.append(statement.text(0)) }
                return reasons
            }
        }
    }
}

extension CountQuestion {
    /// The reasons that this version may give; an open set.
    package static let knownReasons: [String] = {
        let failures: [CaptureFailure] = [
            .empty, .truncated, .imageTooLarge, .fileTooLarge, .unsupportedFormat, .notAllowedForPiece, .pdfEncrypted,
            .pdfTooManyPages, .pdfPagesUnknown, .mediaUnreadable, .uploadsNotAllowed, .alreadyFailed, .scannerNotReady,
            .noDocument, .fingers, .glare, .blurryPhoto, .noFace, .severalFaces, .tooDark, .outsideViewfinder, .tooFar,
            .leaningBack, .leaningForward, .tiltedSideways, .glasses, .coveredFace, .notASelfie, .hologramCardMissing,
            .hologramFaceMissing, .rejectedByVerifier, .scoreBelowPassMark,
        ]
        let causes: [ParkCause] = [
            .failedPermanently, .refusedByEndpoint, .keyReused, .contractBreak, .quarantined, .mediaUnreadable,
            .mediaDestroyed, .mediaExpired,
        ]
        return Set(failures.map(\.rawValue) + causes.map(\.rawValue)).sorted()
    }()
}

/// Runs a question's query over one connection.
private struct CountReader {
    let connection: Connection
    let question: CountQuestion
    let position: Int64

    enum Groups: String { case all, origin, context, reason, piece, session, moment }

    struct Row {
        let name: String?
        let captures: Int64
        let sessions: Int64
        let first: Int64
        let last: Int64
    }

    private func rows(_ groups: Groups, _ what: String? = nil) throws(SQLiteError) -> [Row] {
        let statement = try Statement(connection, SchemaFiles.analyticsReportCount)
        statement.bind(what ?? question.what.rawValue, at: 1)
        statement.bind(position, at: 2)
        statement.bind(question.sinceMilliseconds ?? .min, at: 3)
        statement.bind(question.untilMilliseconds ?? .max, at: 4)
        statement.bind(question.piece?.rawValue, at: 5)
        statement.bind(question.reason, at: 6)
        statement.bind(question.context, at: 7)
        statement.bind(groups.rawValue, at: 8)
        var rows: [Row] = []
        while try statement.step() {
            rows.append(
                Row(
                    name: statement.optionalText(0), captures: statement.int64(1), sessions: statement.int64(2),
                    first: statement.int64(3), last: statement.int64(4)))
        }
        return rows
    }

    func groups(_ groups: Groups) throws(SQLiteError) -> [CountAnswer.Group] {
        try rows(groups).map { CountAnswer.Group($0.name, captures: $0.captures, sessions: $0.sessions) }
    }

    /// - Parameter last: when the event at the question's position was recorded.
    func groups(
        _ grouping: CountQuestion.Grouping, lastRecorded last: Int64?
    ) throws(SQLiteError) -> [CountAnswer.Group] {
        switch grouping {
        case .context: return try groups(.context)
        case .reason: return try groups(.reason)
        case .piece: return try groups(.piece)
        case .origin:
            // whoever said no, whatever no was asked about
            return try rows(.origin, "refused_by_anybody").map {
                CountAnswer.Group($0.name, captures: $0.captures, sessions: $0.sessions)
            }
        case .day:
            let began: Int64? = try { () throws(SQLiteError) in
                let statement = try Statement(connection, SchemaFiles.analyticsReportFirst)
                return try statement.step() ? statement.optionalInt64(0) : nil
            }()
            guard let began, let last else { return [] }
            let first = max(began, question.sinceMilliseconds ?? .min)
            let end = min(last, (question.untilMilliseconds ?? .max) - 1)
            guard first <= end else { return [] }
            return try days(from: question.zone.day(at: first), through: question.zone.day(at: end))
        }
    }

    /// What happened comes in the order of time, so that no more than one day's sessions are in memory.
    private func days(from first: CivilDay, through last: CivilDay) throws(SQLiteError) -> [CountAnswer.Group] {
        var days: [CountAnswer.Group] = []
        var (day, captures, sessions) = (first, Int64(0), Set<Substring>())
        func endDay() {
            days.append(CountAnswer.Group(day.text, captures: captures, sessions: Int64(sessions.count)))
            (day, captures, sessions) = (day.next, 0, [])
        }
        var end = question.zone.start(of: day.next)
        for row in try rows(.moment) {
            let words = (row.name ?? "").split(separator: " ")
            guard words.count == 2, let time = Int64(words[0]) else { continue }
            while time >= end, day < last {
                endDay()
                end = question.zone.start(of: day.next)
            }
            captures += row.captures
            sessions.insert(words[1])
        }
        while day <= last { endDay() }
        return days
    }

    func sessions() throws(SQLiteError) -> [CountAnswer.ListedSession] {
        try rows(.session).map {
            CountAnswer.ListedSession(
                id: $0.name ?? "", times: $0.captures, firstPosition: $0.first, lastPosition: $0.last)
        }
    }
}
