import CaptureLedger
import CaptureLedgerSync
import SessionDomain

extension Verb {
    static let auditWitness = Verb(
        path: ["audit", "witness"], summary: "Sign what the log is now and give it to the witness of the settings.",
        details: "Every sync does it too, at its end. What the witness signs in return is kept.", writes: true,
        meansSession: false,
        examples: ["capture-ledger audit witness"], exits: [.refused, .notFound, .workLeft, .inputOutput, .notPermitted],
        run: { invocation, console in
            let ledger = try invocation.openLedger()
            guard let outcome = ledger.sendCheckpoint() else {
                throw Complaint(
                    "no_witness", "The settings name no witness.",
                    remedy: "Write its address as audit: { witness: { url: \"…\" } } in \(Settings.fileName).",
                    exit: .configuration)
            }
            if let failure = outcome.failure { throw failure }
            try console.result(["witness": outcome.json], outcome.words)
            return .done
        })
}

extension WitnessOutcome {
    var json: JSONValue {
        ([
            "url": .string(url), "tree_size": .integer(treeSize), "old_size": .integer(oldSize),
            "witnessed": .bool(failure == nil && treeSize > 0), "sent": .bool(wasSent),
        ] as JSONValue).adding("cosignature", cosignature.map { .string($0) })
            .adding("cosignature_verified", cosignature == nil ? nil : .bool(isVerified ?? false))
            .adding(
                "error",
                failure.map {
                    [
                        "code": .string($0.code.rawValue), "message": .string($0.message), "remedy": .string($0.remedy),
                        "runbook": .string(Runbook.section($0.code.rawValue)),
                    ]
                })
    }

    var words: String {
        if let failure { return "Not witnessed: \(failure.message) \(failure.remedy)" }
        if treeSize == 0 { return "Nothing to witness: there is no event yet." }
        let what = "The witness has the checkpoint of \(Words.count(Int(treeSize), "event"))"
        return what + (wasSent ? "." : " already.") + Self.words(cosignature, isVerified)
    }
}

extension WitnessOutcome {
    /// What is known of a witness's signature.
    static func words(_ cosignature: String?, _ isVerified: Bool?) -> String {
        if cosignature == nil { return "" }
        return isVerified == true
            ? " Its signature is kept and was verified."
            : " Its signature is kept, not verified\(isVerified == nil ? ": the settings name no audit.witness.key" : "")."
    }
}

extension WitnessStanding {
    var json: JSONValue {
        [
            "url": .string(url), "tree_size": .integer(treeSize), "witnessed_at_ms": .whole(witnessedAtMilliseconds),
            "signed_size": .integer(signedSize), "cosignature_verified": .bool(isVerified ?? false),
        ]
    }

    func words(now: Int64) -> String {
        guard let witnessedAtMilliseconds else { return "Nothing was witnessed yet: audit witness says why." }
        return "The witness has \(Words.count(Int(treeSize), "event")), since \(Words.duration(now - witnessedAtMilliseconds))."
            + WitnessOutcome.words(cosignature, isVerified)
            + (treeSize < signedSize ? " A newer checkpoint was not taken: audit witness says why." : "")
    }
}
