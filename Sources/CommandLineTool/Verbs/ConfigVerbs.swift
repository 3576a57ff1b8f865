import CaptureLedger
import CaptureLedgerSync
import DeliveryMachine
import SessionDomain
import SystemCalls

extension Verb {
    static let configCheck = Verb(
        path: ["config", "check"], summary: "Say what is wrong with the settings.",
        details: """
            Reads capture-ledger.json5 and the credentials and certificates it names; connects to nothing, runs no command and \
            writes nothing. sync probe goes on from there.
            """,
        examples: ["capture-ledger config check", "capture-ledger --ledger /var/lib/kiosk/my.ledger config check --json"],
        exits: [.notFound],
        run: { invocation, console in
            guard (try? FileStatus.of(invocation.ledgerPath)) ?? nil != nil else {
                throw Complaint(
                    "no_such_ledger", "There is no ledger in \(invocation.ledgerPath).",
                    remedy: "Make one with capture-ledger init, or name another folder with --ledger.", exit: .notFound)
            }
            let settings = try Settings.load(ledger: invocation.ledgerPath, environment: invocation.environment)
            let findings =
                settings.credentialFindings(
                    ledger: invocation.ledgerPath, nowMilliseconds: SystemClock.realtimeMilliseconds())
                + Self.placeFindings(settings, ledger: invocation.ledgerPath)
                + Self.checkFindings(settings, ledger: invocation.ledgerPath)
            let error = findings.first { $0.severity == .error }
            var result: [JSONValue.Member] = [
                .init("ok", .bool(error == nil)),
                .init("destinations", .array(settings.destinations.map(Self.json))),
                .init("findings", .array(findings.map(Self.json))),
            ]
            if let error {
                result.append(
                    .init(
                        "error",
                        Complaint(error.code, error.message, remedy: error.remedy, exit: .configuration).json))
            }
            try console.result(.members(result), Self.text(settings.destinations, findings))
            return error == nil ? .done : .configuration
        })

    /// Where runs are to write.
    private static func placeFindings(_ settings: Settings, ledger folder: String) -> [CredentialFinding] {
        [("sync.dead_man_file", settings.sync.deadManFile), ("sync.metrics_file", settings.sync.metricsFile)]
            .compactMap { place, path in
                guard let path else { return nil }
                let above = FileSystem.parent(of: path.hasPrefix("/") ? path : folder + "/" + path)
                if FileSystem.isWritable(above) { return nil }
                return CredentialFinding(
                    code: "settings_unreadable", severity: .error, path: place,
                    message: "The folder of \(place) is not there, or this user may not write to it.",
                    remedy: "Make it, give this user access, or name another file.")
            }
    }

    /// What the settings name for the checks and is not there.
    private static func checkFindings(_ settings: Settings, ledger folder: String) -> [CredentialFinding] {
        let checks = settings.checks.resolved(in: folder)
        let tools = CheckTools(checks) { (checks) throws(LedgerError) in try RunnerChoice.runner(checks) }
        // without a runner nothing is checked, but what the settings name must be right all the same
        let findings =
            checks.runner != nil || settings.policy.checks ?? .off != .off
            ? tools.findings(starting: false) : tools.namedFindings(checks)
        return findings.filter { $0.severity != .note }.map {
            CredentialFinding(
                code: $0.code, severity: $0.severity == .error ? .error : .warning, path: "checks", message: $0.message,
                remedy: $0.remedy)
        }
    }

    private static func json(_ destination: DestinationSettings) -> JSONValue {
        [
            "name": .string(destination.name), "kind": .string(destination.endpoint.kind.rawValue),
            "url": .string(Origin.withoutQuery(destination.endpoint.url)),
        ]
    }

    private static func json(_ finding: CredentialFinding) -> JSONValue {
        [
            "code": .string(finding.code), "severity": .string(finding.severity.rawValue), "path": .string(finding.path),
            "message": .string(finding.message), "remedy": .string(finding.remedy),
        ]
    }

    private static func text(_ destinations: [DestinationSettings], _ findings: [CredentialFinding]) -> String {
        var lines = findings.map { "\($0.severity.rawValue): \($0.message) \($0.remedy)" }
        if findings.isEmpty { lines.append("The settings are fine.") }
        if destinations.isEmpty { lines.append("No destination is configured: captures stay queued.") }
        return (lines + destinations.map { "  \($0.name): \(Origin.withoutQuery($0.endpoint.url))" }).joined(separator: "\n")
    }
}
