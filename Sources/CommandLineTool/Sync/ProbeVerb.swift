import CaptureLedger
import CaptureLedgerSync
import SessionDomain

extension Verb {
    static let syncProbe = Verb(
        path: ["sync", "probe"], summary: "Look at each destination: credential, connection, TLS, clock, answer.",
        details:
            "A HEAD request each, with the credential and without personal data; nothing is delivered and nothing is written.",
        positionals: [Positional("DESTINATION", "only these", .any)],
        options: [.value("timeout", "TIME", "for each destination (15)")],
        examples: ["capture-ledger sync probe", "capture-ledger sync probe verifier --timeout 5 --json"],
        exits: [.notFound, .allPaused, .workLeft],
        run: { invocation, console in
            let limit = try invocation.seconds("timeout") ?? 15_000
            let ledger = try invocation.openForReading()
            let names = try invocation.words(from: 0).map { try ledger.destinationName($0) }
            let checks = ledger.probeDestinations(
                named: names.isEmpty ? nil : names, limitMilliseconds: Int(min(max(1, limit), 600_000)))
            try console.result(
                [
                    "ok": .bool(checks.allSatisfy(\.isReachable)), "destinations": .array(checks.map(\.json)),
                ],
                checks.isEmpty
                    ? "No destination is configured."
                    : checks.map { $0.words(now: ledger.clock.nowMilliseconds()) }.joined(separator: "\n\n"))
            if checks.allSatisfy(\.isReachable) { return .done }
            return checks.contains(where: \.isReachable) ? .workLeft : .allPaused
        })
}

extension Ledger {
    /// A name that the settings know.
    func destinationName(_ name: String) throws(Complaint) -> String {
        let known = settings.destinations.map(\.name)
        if known.contains(name) { return name }
        let hint = Spelling.nearest(to: name, in: known).map { "Did you mean \($0)?" }
        throw Complaint(
            "no_such_destination", "The settings have no destination with that name.",
            remedy: hint ?? "Configured: \(known.isEmpty ? "none" : known.joined(separator: ", ")).", exit: .notFound)
    }
}

extension EndpointCheck {
    var json: JSONValue {
        [
            "destination": .string(destination), "origin": .string(origin), "reachable": .bool(isReachable),
            "address": .text(address), "status": .whole(status.map { Int64($0) }),
            "clock_difference_ms": .whole(clockDifferenceMilliseconds),
            "expiries": .array(expiries.map(\.json)),
            "findings": .array(
                findings.map {
                    [
                        "step": .string($0.step.rawValue), "state": .string($0.state.rawValue), "message": .string($0.message),
                        "remedy": .string($0.remedy),
                    ]
                }),
        ]
    }

    func words(now: Int64) -> String {
        var lines = ["\(destination): \(origin)" + (isReachable ? "" : " CANNOT BE REACHED")]
        lines.append(
            Words.table(
                findings.map {
                    [$0.step.rawValue, $0.state.rawValue, $0.remedy.isEmpty ? $0.message : "\($0.message) \($0.remedy)"]
                }))
        lines += expiries.map { "  \($0.words(now: now))" }
        return lines.joined(separator: "\n")
    }
}

extension CredentialExpiry {
    var json: JSONValue { ["what": .string(what.rawValue), "expires_at_ms": .integer(expiresAtMilliseconds)] }

    func words(now: Int64) -> String {
        let left = expiresAtMilliseconds - now
        return left > 0
            ? "The \(Words.plain(what.rawValue)) ends in \(Words.duration(left)), at \(Words.time(expiresAtMilliseconds))."
            : "The \(Words.plain(what.rawValue)) has ENDED at \(Words.time(expiresAtMilliseconds))."
    }
}
