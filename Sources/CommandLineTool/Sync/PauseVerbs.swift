import CaptureLedger
import SessionDomain

extension Verb {
    static let syncPause = pausing("pause", "Send nothing more to a destination, or of a session, until a person resumes it.")
    static let syncResume = pausing("resume", "Lift any pause of a destination, also one that the worker set, or of a session.")

    private static func pausing(_ word: String, _ summary: String) -> Verb {
        Verb(
            path: ["sync", word], summary: summary,
            positionals: [Positional("DESTINATION", "its name in the settings", .optional)],
            options: [.value("session", "ID", "a session in place of a destination")], writes: true,
            examples: ["capture-ledger sync \(word) verifier", "capture-ledger sync \(word) --session 0193…"],
            exits: [.refused, .notFound, .inputOutput, .notPermitted],
            run: { invocation, console in
                let session = try invocation.session("session")
                guard (session == nil) != (invocation.word(0) == nil) else {
                    throw Complaint.usage(
                        "sync \(word) needs a destination or a session.", remedy: "Name one: DESTINATION, or --session ID.")
                }
                let options = try invocation.commandOptions()
                if session == nil, options.expectedVersion != nil {
                    throw Complaint.usage(
                        "--expected-version is a session's, and a destination was named.", remedy: "Leave it out.")
                }
                let ledger = try invocation.openLedger()
                let isPaused = word == "pause"
                if let session {
                    let receipt =
                        try isPaused
                        ? ledger.pauseDeliveries(of: session, options) : ledger.resumeDeliveries(of: session, options)
                    try console.result(
                        ["session_id": .string(session.text), "paused": .bool(isPaused), "receipt": receipt.json],
                        (isPaused
                            ? "Nothing of this session is sent until sync resume --session."
                            : "The session's deliveries go on with the next sync.") + "\n" + receipt.words)
                    return .done
                }
                let name = try ledger.destinationName(invocation[0])
                let receipt =
                    try isPaused
                    ? ledger.pause(destination: name, options) : ledger.resume(destination: name, options)
                try console.result(
                    ["destination": .string(name), "paused": .bool(isPaused), "receipt": receipt.json],
                    (isPaused
                        ? "\(name) is paused: nothing is sent to it until sync resume." : "\(name) is not paused any more.")
                        + "\n" + receipt.words)
                return .done
            })
    }
}
