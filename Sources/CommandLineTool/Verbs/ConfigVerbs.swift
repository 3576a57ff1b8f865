import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let configCheck = Verb(
        path: ["config", "check"], summary: "Say what is wrong with the settings.",
        details: "Reads capture-ledger.json5 and the credentials it names; connects to nothing and writes nothing.",
        examples: ["capture-ledger config check", "capture-ledger --ledger /var/lib/kiosk/my.ledger config check --json"],
        exits: [.notFound],
        run: { invocation, console in
            guard (try? FileStatus.of(invocation.ledgerPath)) ?? nil != nil else {
                throw Complaint(
                    "no_such_ledger", "There is no ledger in \(invocation.ledgerPath).",
                    remedy: "Make one with capture-ledger init, or name another folder with --ledger.", exit: .notFound)
            }
            let settings = try Settings.load(ledger: invocation.ledgerPath, environment: invocation.environment)
            let destinations = settings.destinations.map(\.endpoint)
            try console.result(
                [
                    "ok": true,
                    "destinations": .array(
                        destinations.map {
                            ["name": .string($0.name.text), "kind": .string($0.kind.rawValue), "url": .string($0.url)]
                        }),
                ],
                destinations.isEmpty
                    ? "The settings are fine. No destination is configured: captures stay queued."
                    : "The settings are fine.\n" + destinations.map { "  \($0.name.text): \($0.url)" }.joined(separator: "\n"))
            return .done
        })
}
