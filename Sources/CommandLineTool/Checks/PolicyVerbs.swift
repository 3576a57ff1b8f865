import CaptureLedger
import MediaChecks
import SessionDomain

extension Verb {
    static let policyShow = Verb(
        path: ["policy", "show"], summary: "Print the check policy in force, as a file to begin an own one with.",
        details:
            "The ledger's own where its settings name one, else the standard one. Every entry has a comment that says what it does.",
        options: [
            .value("version", "V", "one that judged captures of this ledger, as findings name it"),
            .flag("registered", "list those that have judged captures of this ledger"),
        ],
        examples: [
            "capture-ledger policy show", "capture-ledger policy show --registered",
            "capture-ledger policy show --version kiosk-7 --json",
        ],
        exits: [.notFound],
        run: { invocation, console in
            if let version = invocation.text("version") { return try shown(version, invocation, console) }
            if invocation.has("registered") { return try registered(invocation, console) }
            let policy = try CheckBench(invocation).tools.policy()
            try console.result(["policy": policy.json, "version": .string(policy.identity)], policy.template)
            return .done
        })

    /// One that judged something here, by the name that findings carry or the version before its plus sign.
    private static func shown(_ version: String, _ invocation: Invocation, _ console: Console) throws -> ExitCode {
        let known = try invocation.openForReading().registeredPolicies()
        let fitting = known.filter { $0.version == version || $0.version.hasPrefix(version + "+") }
        guard let found = fitting.first else {
            let names = known.map(\.version)
            throw Complaint(
                "no_such_policy", "No policy of that version has judged anything in this ledger.",
                remedy: names.isEmpty ? "Nothing was judged here yet." : "On record: \(names.joined(separator: ", ")).",
                exit: .notFound)
        }
        guard fitting.count == 1 else {
            throw Complaint.usage(
                "Several policies of that version are on record.",
                remedy: "Name one of: \(fitting.map(\.version).joined(separator: ", ")).")
        }
        guard let policy = found.policy else {
            throw Complaint(
                "policy_text_unknown", "That policy is on record, but its text is not kept or cannot be read by this version.",
                remedy: "Its text has the SHA-256 \(found.digest).", exit: .notFound)
        }
        try console.result(found.json.adding("policy", policy.json), policy.template)
        return .done
    }

    private static func registered(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
        let known = try invocation.openForReading().registeredPolicies()
        try console.result(
            ["policies": .array(known.map(\.json))],
            known.isEmpty
                ? "Nothing was judged here yet."
                : Words.table(known.map { [$0.version, Words.time($0.registeredAtMilliseconds)] }, indent: ""))
        return .done
    }

    static let policyCheck = Verb(
        path: ["policy", "check"], summary: "Say what is wrong with a check policy.",
        positionals: [Positional("FILE", "the policy, in JSON5")],
        examples: ["capture-ledger policy check policy.json5"], exits: [.refused, .notFound],
        run: { invocation, console in
            let policy = try PolicyFile.read(invocation[0])
            try console.result(
                ["ok": true, "version": .string(policy.identity)],
                "The policy \(policy.version) is fine; findings name it as \(policy.identity).")
            return .done
        })
}

extension RegisteredPolicy {
    fileprivate var json: JSONValue {
        [
            "version": .string(version), "digest": .string(digest), "position": .integer(position),
            "registered_at_ms": .integer(registeredAtMilliseconds),
        ]
    }
}
