import CaptureLedger
import SessionDomain

/// One question put to several ledgers. One that cannot answer is named, and hides no other.
struct CountRounds {
    private let question: CountQuestion
    private var rounds: [(path: String, result: Result<CountAnswer, Complaint>)] = []
    /// Every reason that somebody gave in any of them.
    private(set) var reasons: [String] = []

    init(_ paths: [String], _ question: CountQuestion, _ invocation: Invocation) {
        self.question = question
        for path in paths {
            defer { invocation.opened.closeAll() }
            do {
                let ledger = try invocation.openForReading(at: path)
                rounds.append((path, .success(try ledger.count(question))))
                if question.reason != nil { reasons += try ledger.reasons() }
            } catch {
                rounds.append((path, .failure(Complaint(anything: error))))
            }
        }
    }

    var isReasonKnown: Bool {
        guard let reason = question.reason else { return true }
        return CountQuestion.knownReasons.contains(reason) || reasons.contains(reason) || answers.isEmpty
    }

    private var answers: [CountAnswer] { rounds.compactMap { try? $0.result.get() } }

    var exit: ExitCode {
        rounds.map { round in
            if case .failure(let complaint) = round.result { complaint.exit } else { ExitCode.done }
        }.max { $0.severity < $1.severity } ?? .done
    }

    private var total: Int64 { answers.reduce(0) { $0 + $1.number } }

    /// The groups of all ledgers by name, as far as the name is the same.
    private var groups: [CountAnswer.Group] {
        var sums: [String?: (captures: Int64, sessions: Int64)] = [:]
        for group in answers.flatMap(\.groups) {
            sums[group.name, default: (0, 0)].captures += group.captures
            sums[group.name, default: (0, 0)].sessions += group.sessions
        }
        return sums.map { CountAnswer.Group($0.key, captures: $0.value.captures, sessions: $0.value.sessions) }
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    var json: JSONValue {
        var json: JSONValue = [
            "count": .integer(total), "unit": .string(question.unit.rawValue), "what": .string(question.what.rawValue),
            "answered": .whole(answers.count), "unanswered": .whole(rounds.count - answers.count),
            "ledgers": .array(
                rounds.map { round -> JSONValue in
                    switch round.result {
                    case .success(let answer): ["ledger": .string(round.path), "result": answer.json]
                    case .failure(let complaint): ["ledger": .string(round.path), "error": complaint.json]
                    }
                }),
        ]
        if let grouping = question.grouping {
            json = json.adding("by", .string(grouping.rawValue))
                .adding("groups", CountAnswer.json(groups, grouping, question.unit))
        }
        return json
    }

    var words: String {
        let missing = rounds.count - answers.count
        var lines = [
            "\(total)",
            "In \(Words.count(answers.count, "ledger"))"
                + (missing == 0 ? "." : "; \(Words.count(missing, "ledger")) gave no answer and is not in the number."),
        ]
        for round in rounds {
            switch round.result {
            case .success(let answer): lines.append("\(round.path): \(answer.number). \(answer.definition)")
            case .failure(let complaint): lines += ["\(round.path): no answer."] + complaint.lines.map { "  " + $0 }
            }
        }
        if let grouping = question.grouping {
            lines += ["By \(grouping.rawValue):", CountAnswer.table(groups, question.unit)]
        }
        return lines.joined(separator: "\n")
    }
}
