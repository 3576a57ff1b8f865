import CaptureLedger
import SessionDomain

extension Verb {
    static let benchVerify = Verb(
        path: ["bench", "verify"],
        summary: "Measure verifying the log of a ledger, beside reading its columns and SHA-256 over the same bytes.",
        options: [.value("rounds", "N", "rounds of each kind (3)")],
        examples: ["capture-ledger --ledger my.ledger bench verify --json"], exits: [.notFound, .inputOutput],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let count = Int(try invocation.integer("rounds", in: 1...100) ?? 3)
            let rounds = try (0..<count).map { _ in try ledger.measureVerification() }
            let median = rounds.sorted { $0.ratioToBound < $1.ratioToBound }[count / 2]
            try console.result(
                [
                    "rounds": .whole(count), "events": .integer(median.events), "bytes": .integer(median.bytes),
                    "read_events_per_second": median.rate(median.readSeconds),
                    "sha256_events_per_second": median.rate(median.hashSeconds),
                    "bound_events_per_second": median.rate(median.boundSeconds),
                    "verify_events_per_second": median.rate(median.verifySeconds),
                    "ratio_to_bound": .double((median.ratioToBound * 1000).rounded() / 1000),
                ],
                "\(Words.count(Int(median.events), "event")): read in \(seconds(median.readSeconds)), hashed in \(seconds(median.hashSeconds)), verified in \(seconds(median.verifySeconds)): \((median.ratioToBound * 100).rounded() / 100) of the bound."
            )
            return .done
        })

    private static func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }
}

extension VerifyFigures {
    fileprivate func rate(_ seconds: Double) -> JSONValue { seconds > 0 ? .whole(Int64(Double(events) / seconds)) : .null }
}
