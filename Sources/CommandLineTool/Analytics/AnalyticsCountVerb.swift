import CaptureLedger
import SessionDomain

extension Verb {
    static let analyticsCount = Verb(
        path: ["analytics", "count"], summary: "One number: how often something happened, with its definition.",
        details: """
            The same question at the same position (--at-position) has the same answer for ever, whatever was appended, rebuilt or erased since. rejected is the verifier's no, failed_checks that of the checks, refused that of the intake; --by origin shows all three side by side.
            """,
        options: [
            .choice("what", CountQuestion.What.allCases.map(\.rawValue), "what is counted; needed"),
            .value("reason", "R", "only for this reason, such as glare"),
            .value("piece", "P", "only of this piece"), .value("context", "C", "only of sessions in this context"),
            .choice("by", CountQuestion.Grouping.allCases.map(\.rawValue), "the number for each"),
            .value("month", "M", "only in this month, such as 2026-10"),
            .value("since", "T", "only from then on: a day, ISO 8601, Unix milliseconds, or such as 7d"),
            .value("until", "T", "only before"),
            .value("tz", "ZONE", "whose months, days and clock are meant (UTC), such as Europe/Istanbul"),
            .choice("unit", CountQuestion.Unit.allCases.map(\.rawValue), "count every capture, or each session once"),
            .value("at-position", "N", "as the log was at this position"),
            .flag("list", "also the sessions behind the number"),
            .value("all-ledgers", "GLOB", "ask every ledger that the quoted pattern names, and add up"),
        ],
        examples: [
            "capture-ledger analytics count --what rejected --reason glare --month 2026-10 --tz Europe/Istanbul",
            "capture-ledger analytics count --what rejected --piece passport_front --by origin --unit sessions --list",
            "capture-ledger analytics count --what completed --since 2026-10-05 --until 2026-10-12 --by day --at-position 4711",
            "capture-ledger analytics count --what captured --all-ledgers '/var/lib/*/my.ledger' --json",
        ],
        exits: [.notFound, .inputOutput, .workLeft],
        run: { invocation, console in
            let question = try CountQuestion(invocation)
            if let pattern = invocation.text("all-ledgers") {
                let rounds = CountRounds(try LedgerSearch.ledgers(matching: pattern), question, invocation)
                if let reason = question.reason, !rounds.isReasonKnown { throw unknown(reason, rounds.reasons) }
                try console.result(rounds.json, rounds.words)
                return rounds.exit
            }
            let ledger = try invocation.openForReading()
            if let reason = question.reason, !(try ledger.hasReason(reason)) { throw unknown(reason, try ledger.reasons()) }
            let answer = try ledger.count(question)
            try console.result(answer.json, answer.words)
            return .done
        })

    private static func unknown(_ reason: String, _ given: [String]) -> Complaint {
        let known = Set(CountQuestion.knownReasons + given).sorted()
        let meant = Spelling.nearest(to: reason, in: known).map { "Did you mean \($0)?" }
        return .usage(
            "Nobody ever gave that reason, and no part of this program knows it.",
            remedy: meant ?? "docs/events.md lists the reasons under Failures.")
    }
}

extension CountQuestion {
    init(_ invocation: Invocation) throws {
        guard let what = invocation.text("what").flatMap(What.init(rawValue:)) else {
            throw Complaint.usage(
                "analytics count needs --what.", remedy: "Use one of: \(What.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        for (first, second) in [
            ("month", "since"), ("month", "until"), ("all-ledgers", "ledger"), ("all-ledgers", "at-position"),
        ] where invocation.has(first) && invocation.has(second) {
            throw Complaint.usage("--\(first) and --\(second) were both given.", remedy: "Keep one of them.")
        }
        self.init(what, unit: invocation.text("unit").flatMap(Unit.init(rawValue:)))
        grouping = invocation.text("by").flatMap(Grouping.init(rawValue:))
        piece = try invocation.text("piece").map { try invocation.piece($0) }
        reason = invocation.text("reason")
        context = invocation.text("context")
        zone = try invocation.timeZone()
        position = try invocation.integer("at-position")
        listsSessions = invocation.has("list")
        if let text = invocation.text("month") {
            guard let month = CivilMonth(text) else {
                throw Complaint.usage("--month is not a month.", remedy: "Write it as --month 2026-10.")
            }
            sinceMilliseconds = zone.start(of: month.first)
            untilMilliseconds = zone.start(of: month.end)
        } else {
            (sinceMilliseconds, untilMilliseconds) = try invocation.span(
                in: zone, now: LedgerClock.system.nowMilliseconds())
        }
        try checkWords()
    }

    /// What does not fit together is said, and never counted as nothing.
    private func checkWords() throws(Complaint) {
        if !what.isOfCapture {
            for (isGiven, name) in [
                (piece != nil, "--piece"), (grouping == .piece, "--by piece"), (unit == .captures, "--unit captures"),
            ] where isGiven {
                throw .usage("\(what.rawValue) happens to a whole session, which has no \(name).", remedy: "Leave \(name) out.")
            }
        }
        if !what.hasReason {
            for (isGiven, name) in [(reason != nil, "--reason"), (grouping == .reason, "--by reason")] where isGiven {
                throw .usage(
                    "\(what.rawValue) has no reason, which \(name) asks for.",
                    remedy: "Use it with refused, failed_checks, rejected or parked.")
            }
        }
        if grouping == .origin, !what.hasOrigin {
            throw .usage("--by origin is about who said no.", remedy: "Use it with refused, failed_checks or rejected.")
        }
    }
}

extension CountAnswer {
    var words: String {
        var lines = [
            "\(number)", definition, "True for position \(position), for ever: ask again with --at-position \(position).",
        ]
        if let grouping = question.grouping {
            lines += ["By \(grouping.rawValue):", Self.table(groups, question.unit)]
        }
        if let list {
            lines.append(list.isEmpty ? "No session." : "Sessions:")
            if !list.isEmpty {
                lines.append(
                    Words.table(
                        list.map {
                            [
                                $0.id, Words.count(Int($0.times), "time"),
                                $0.times == 1
                                    ? "position \($0.firstPosition)" : "positions \($0.firstPosition) to \($0.lastPosition)",
                            ]
                        }))
            }
        }
        return lines.joined(separator: "\n")
    }

    static func table(_ groups: [Group], _ unit: CountQuestion.Unit) -> String {
        groups.isEmpty
            ? "  nothing"
            : Words.table(groups.map { [$0.name ?? "(none)", String(unit == .sessions ? $0.sessions : $0.captures)] })
    }
}
