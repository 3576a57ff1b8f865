import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let sessionStart = Verb(
        path: ["session", "start"], summary: "Begin a session, or get the one that the same client key began.",
        details:
            "The configuration is frozen into the session. Options win over --config; the ledger's policy fills in what is left.",
        options: [
            .value("pieces", "a,b,…", "in order: passport_front, passport_back, selfie, hologram"),
            .value("config", "FILE", "the session's whole configuration as JSON; - reads standard input"),
            .value("context", "C", "the host's own word for where it is used, for reports"),
            .value("client-key", "K", "the client's name for the session: the same key gives the same session"),
            .value("subject", "REF", "whom it is about; kept sealed, for session find"),
            .value("group", "G", "flows of one person share it"),
            .choice("checks", ChecksMode.allCases.map(\.rawValue), "what the check pipeline decides"),
            .value("transaction-id", "T", "the hologram's transaction; it can be bound later"),
            .value("card-type", "TYPE", "NEW_TC_ID, DRIVER_LICENSE or INTERNATIONAL_ID; needed for a hologram"),
        ],
        writes: true,
        examples: [
            "capture-ledger session start --pieces passport_front,selfie --client-key booking-4711",
            "capture-ledger session start --pieces passport_front,hologram --card-type NEW_TC_ID --json",
        ],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            var request = StartRequest(configuration: try configuration(invocation))
            request.clientKey = invocation.text("client-key")
            request.subject = invocation.text("subject")
            request.group = invocation.text("group")
            request.transactionID = invocation.text("transaction-id")
            request.commandID = try invocation.commandID()
            if try (invocation.expectedVersion() ?? 0) != 0 {
                throw Complaint(
                    "stale_version", "A session that does not exist yet is at version 0.",
                    remedy: "Leave --expected-version out, or make it 0.", exit: .refused)
            }
            let ledger = try invocation.openLedger()
            // one that has begun is returned, whatever is missing by now
            let isKnown = try request.clientKey.map { try !ledger.find(.clientKey($0)).isEmpty } ?? false
            if !isKnown { try ledger.requireScanner(for: request.configuration) }
            return try console.answer(try ledger.start(request), ledger)
        })

    private static func configuration(_ invocation: Invocation) throws -> CaptureConfiguration {
        let pieces = try invocation.text("pieces").map { text in
            try text.split(separator: ",", omittingEmptySubsequences: false).map { try invocation.piece(String($0)) }
        }
        var configuration: CaptureConfiguration
        if let path = invocation.text("config") {
            do {
                configuration = try CaptureConfiguration(text: try InputFile.text(path, limit: 1 << 20))
            } catch let problem as ConfigurationProblem {
                throw Complaint(problem.code.rawValue, problem.message, remedy: problem.remedy, exit: .refused)
            }
            if let pieces { configuration.pieces = pieces }
        } else if let pieces {
            configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Identity capture")
        } else {
            throw Complaint.usage(
                "session start needs --pieces or --config.",
                remedy: "Say what to capture, such as --pieces passport_front,passport_back,selfie.")
        }
        if let context = invocation.text("context") { configuration.analyticsContext = context }
        if let checks = invocation.text("checks") { configuration.checks = ChecksMode(rawValue: checks) }
        if let text = invocation.text("card-type") {
            guard let type = HologramCardType(named: text) else {
                let known = HologramCardType.allCases.map(\.name)
                throw Complaint.usage(
                    "--card-type was given a value that is not known.",
                    remedy: Spelling.remedy(for: text, in: known))
            }
            configuration.hologramCardType = type
        }
        return configuration
    }
}
