import DeliveryMachine
import Outbox

/// Why deliveries stand still, in an operator's words.
package enum Cause {
    package static let noDestination = "no_destination"
    package static let neverTried = "never_tried"
    package static let otherRun = "another_run_works"

    /// The end of a sentence, without its full stop; a code that is not known here is shown as it is.
    package static func sentence(_ code: String) -> String { table[code]?.sentence ?? code.replacing("_", with: " ") }

    package static func remedy(_ code: String, destination: String) -> String {
        (table[code]?.remedy ?? "Run capture-ledger sync list --destination DESTINATION and sync explain one of them.")
            .replacing("DESTINATION", with: destination)
    }

    private static let resume = "then run capture-ledger sync resume DESTINATION."

    private static let table: [String: (sentence: String, remedy: String)] = [
        // pauses
        OutboxWriter.pausedByOperator.rawValue: (
            "a person paused it", "Run capture-ledger sync resume DESTINATION when it may be used again."
        ),
        Explanation.unauthorized.rawValue: (
            "it refused the credential (401)",
            "Put a valid token or secret in place: the next run notices that it changed and goes on. If this clock was off, set it, \(resume)"
        ),
        Explanation.endpointGone.rawValue: (
            "it says that it is gone for good (410)",
            "Ask its operator for the new address, write it into capture-ledger.json5, \(resume)"
        ),
        Explanation.redirected.rawValue: (
            "it answers with a redirect, which is never followed",
            "Write the address that it moved to into capture-ledger.json5, \(resume)"
        ),
        Explanation.endpointRefuses.rawValue: (
            "it refuses this client",
            "Check the address, the path and the rights of the credential with its operator, \(resume)"
        ),
        Explanation.contractBreak.rawValue: (
            "its answers are not what its contract says; a captive portal or a proxy may stand in its place",
            "Open its address from this machine and look at what answers."
        ),
        Explanation.untrusted.rawValue: (
            "its certificate is not trusted", "Run capture-ledger sync probe; check its certificate, ca_file and this clock."
        ),
        Explanation.addressRefused.rawValue: (
            "its name leads to a private address",
            "Check DNS; if the address is meant, list it in allow_addresses of DESTINATION, \(resume)"
        ),
        Explanation.keepsFailing.rawValue: (
            "it keeps failing and is left alone for a while", "Ask its operator; one delivery goes through now and then to see."
        ),
        Explanation.credentialUnavailable.rawValue: (
            "the credential that the settings name cannot be had",
            "Run capture-ledger sync probe DESTINATION: it says which one, and why."
        ),
        // given up
        ParkCause.failedPermanently.rawValue: (
            "too many attempts failed, or it took too long", "Ask the operator of DESTINATION what went wrong."
        ),
        ParkCause.refusedByEndpoint.rawValue: (
            "the endpoint does not take such a capture", "Compare its size, type and contract with what DESTINATION allows."
        ),
        ParkCause.keyReused.rawValue: (
            "its key was used with other bytes, which is a fault of this program", "Report it and do not requeue it."
        ),
        ParkCause.quarantined.rawValue: (
            "three runs ended while they had it in hand", "Look at the logs of those runs first."
        ),
        ParkCause.mediaUnreadable.rawValue: (
            "its sealed original is missing or was altered",
            "Run capture-ledger audit verify; mount the disk, or restore from a backup."
        ),
        ParkCause.mediaDestroyed.rawValue: (
            "no outcome came before the video had to be destroyed", "The video must be recorded again."
        ),
        ParkCause.mediaExpired.rawValue: (
            "its original was destroyed by a retention rule before it was delivered", "The piece must be captured again."
        ),
        // waiting
        Explanation.handshakeFailed.rawValue: (
            "the TLS handshake with it does not end", "Run capture-ledger sync probe; look for a proxy or firewall between."
        ),
        Explanation.notJSON.rawValue: (
            "its answers are no JSON; a captive portal or a proxy may stand in its place",
            "Open its address from this machine and look at what answers."
        ),
        Explanation.noOutcome.rawValue: (
            "its answers hold no outcome", "Compare its contract with the response part of DESTINATION in capture-ledger.json5."
        ),
        Explanation.noScore.rawValue: (
            "its answers hold no score", "Check that the address is that of a hologram endpoint; ask its operator."
        ),
        Explanation.foreignAnswer.rawValue: (
            "its answers belong to other deliveries",
            "Ask its operator; capture_id in the response settings must name the echo."
        ),
        Explanation.lengthsDiffer.rawValue: (
            "the lengths of its answers contradict each other", "Look at the proxy or gateway between; ask its operator."
        ),
        Explanation.answerTooLong.rawValue: (
            "its answers are longer than allowed", "Ask its operator, or raise answer_limit_bytes of DESTINATION."
        ),
        Explanation.noStatusAddress.rawValue: (
            "it accepts and says nowhere where to ask (202)", "Set status_url of DESTINATION, or ask its operator."
        ),
        Explanation.foreignStatusAddress.rawValue: (
            "its status addresses are of another origin", "Ask its operator: credentials never go to another origin."
        ),
        Explanation.statusUnavailable.rawValue: (
            "its status address cannot be asked",
            "Check status_url of DESTINATION; the deliveries are sent again by themselves."
        ),
        Explanation.statusUnanswered.rawValue: (
            "its status address fails", "Ask its operator; it is asked again by itself."
        ),
        Explanation.didNotArrive.rawValue: (
            "its status address says that they did not arrive", "Ask its operator; they are sent again by themselves."
        ),
        Explanation.misdirected.rawValue: (
            "it says that the connection was meant for another (421)", "Ask its operator, or look at the proxy between."
        ),
        Explanation.notConnected.rawValue: (
            "it cannot be reached", "Check this machine's network, DNS and firewall; run capture-ledger sync probe."
        ),
        Explanation.answerLost.rawValue: (
            "its answers get lost on the way",
            "Check the network and any proxy between; the same bytes go out again by themselves."
        ),
        Explanation.throttled.rawValue: (
            "it asks for fewer requests (429, 503)", "Ask its operator whether its limits fit this machine's load."
        ),
        Explanation.endpointFailed.rawValue: ("it fails (5xx)", "Ask its operator; nothing is to be done here."),
        Explanation.endpointBusy.rawValue: ("it is busy (408, 423 to 425)", "Ask its operator; nothing is to be done here."),
        Explanation.stillInProgress.rawValue: (
            "it says that it is still working on them (409)", "Ask its operator why it does not finish them."
        ),
        Explanation.accepted.rawValue: (
            "it accepted them and gives no outcome (202)", "Ask its operator why it does not finish them."
        ),
        Explanation.failed.rawValue: ("it reaches no decision", "Ask its operator; the same captures are sent again."),
        Explanation.stopped.rawValue: (
            "runs end before an upload does", "Give sync a longer --deadline, or find out why this network is slow."
        ),
        Explanation.evidenceUnavailable.rawValue: (
            "its answers cannot be kept", "Run capture-ledger doctor: the disk or the keys need a look."
        ),
        Explanation.mediaUnavailable.rawValue: (
            "their originals cannot be reached on this machine",
            "Run capture-ledger doctor; check the disk, the permissions of media and keys, and ulimit -n."
        ),
        noDestination: (
            "the settings name no such destination",
            "Add it to capture-ledger.json5; capture-ledger config check says what is wrong."
        ),
        neverTried: (
            "nothing was tried yet", "Check that sync is started often enough, and with a --deadline longer than one upload."
        ),
        otherRun: (
            "another run has worked on this ledger all the time",
            "Look at that process; end it with SIGTERM if it hangs, and the next run takes over."
        ),
    ]
}
