import CaptureLedger
import MediaChecks
import SessionDomain

extension Verb {
    static let policyShow = Verb(
        path: ["policy", "show"], summary: "Print the check policy in force, as a file to begin an own one with.",
        details:
            "The ledger's own where its settings name one, else the standard one. Every entry has a comment that says what it does.",
        examples: ["capture-ledger policy show", "capture-ledger policy show --json"],
        exits: [.notFound, .configuration],
        run: { invocation, console in
            let policy = try CheckBench(invocation).tools.policy()
            try console.result(["policy": policy.json, "version": .string(policy.identity)], policy.template)
            return .done
        })

    static let policyCheck = Verb(
        path: ["policy", "check"], summary: "Say what is wrong with a check policy.",
        positionals: [Positional("FILE", "the policy, in JSON5")],
        examples: ["capture-ledger policy check policy.json5"], exits: [.notFound, .configuration],
        run: { invocation, console in
            var places = CheckTools.Places()
            places.policy = invocation[0]
            let policy = try CheckTools(places, runners: RunnerRegistry()).policy()
            try console.result(
                ["ok": true, "version": .string(policy.identity)],
                "The policy \(policy.version) is fine; findings name it as \(policy.identity).")
            return .done
        })
}
