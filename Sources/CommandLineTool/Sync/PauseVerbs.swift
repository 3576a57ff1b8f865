import CaptureLedger
import SessionDomain

extension Verb {
    static let syncPause = pausing("pause", "Send nothing more to a destination until a person resumes it.")
    static let syncResume = pausing("resume", "Lift any pause of a destination, also one that the worker set.")

    private static func pausing(_ word: String, _ summary: String) -> Verb {
        Verb(
            path: ["sync", word], summary: summary,
            positionals: [Positional("DESTINATION", "its name in the settings")],
            examples: ["capture-ledger sync \(word) verifier"],
            exits: [.refused, .notFound, .inputOutput, .notPermitted],
            run: { invocation, console in
                let ledger = try invocation.openLedger()
                let isPaused = word == "pause"
                let name = try ledger.destinationName(invocation[0])
                _ = try isPaused ? ledger.pause(destination: name) : ledger.resume(destination: name)
                try console.result(
                    ["destination": .string(name), "paused": .bool(isPaused)],
                    isPaused ? "\(name) is paused: nothing is sent to it until sync resume." : "\(name) is not paused any more."
                )
                return .done
            })
    }
}
