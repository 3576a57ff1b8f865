import CaptureLedger
import CaptureLedgerSync
import Sandbox
import SessionDomain
import Sync

/// One step of the demonstration's session. Its command id is its own name, so that a step that was interrupted can be done again:
/// what it had stored by then is not stored twice.
struct DemoStep: Sendable {
    let name: String
    let title: String
    let run: @Sendable (DemoStage) throws -> String

    /// The whole session, in order. Whatever drives the demonstration, by hand or to interrupt it, reads this list.
    static let all: [DemoStep] =
        [start, blurred]
        + taking(.passportFront, "specimens/front-clean.jpg", attempt: 1)
        + taking(.passportBack, "passport-back.jpg", attempt: 1)
        + taking(.selfie, "selfie.jpg", attempt: 1, from: .file) + [record] + taking(.hologram, "hologram.mp4", attempt: 1)
        + [offline, firstSync] + taking(.passportFront, "passport-front-retake.jpg", attempt: 2) + [lastSync]

    static func named(_ name: String) throws(Complaint) -> DemoStep {
        if let step = all.first(where: { $0.name == name }) { return step }
        let hint = Spelling.nearest(to: name, in: all.map(\.name)).map { "Did you mean \($0)?" }
        throw .usage("The demonstration has no such step.", remedy: hint ?? "List them with demo --list-steps.")
    }

    private static let start = DemoStep(name: "start", title: "Start a session for four pieces") { stage in
        var configuration = CaptureConfiguration(
            pieces: [.passportFront, .passportBack, .selfie, .hologram], flowTitle: "Check in", analyticsContext: "demo")
        configuration.hologramCardType = .NEW_TC_ID
        configuration.checks = stage.checks
        configuration.allowUploadFromDevice = true
        var request = StartRequest(configuration: configuration)
        request.clientKey = DemoStage.clientKey
        request.transactionID = "demo-transaction"
        let ledger = try stage.open()
        defer { ledger.closeAndWait() }
        return "session \(try ledger.start(request).session.text)"
    }

    /// Capture and confirm are two steps, since a crash may come between them.
    private static func taking(
        _ piece: Piece, _ file: String, attempt: Int, from source: CaptureSource = .camera
    ) -> [DemoStep] {
        let suffix = attempt == 1 ? piece.rawValue : "\(piece.rawValue)-\(attempt)"
        let again = attempt == 1 ? "" : " again"
        return [
            DemoStep(name: "capture-\(suffix)", title: "Capture \(piece.rawValue)\(again), with no network") { stage in
                try stage.inSession { ledger, session in
                    var request = CaptureRequest(
                        session: session, piece: piece, path: stage.fixtures + "/" + file, source: source)
                    request.confirm = false
                    request.rotation = piece == .hologram ? 0 : nil
                    request.options = try stage.options("capture-\(suffix)")
                    let done = try ledger.capture(request)
                    guard case .captured(let id, _) = done.outcome, done.exit == .done else { throw refused(file) }
                    let findings = done.check?.findings.count { $0.passed == true } ?? 0
                    return "sealed as \(id.text)" + (findings > 0 ? ", passed \(Words.count(findings, "check"))" : "")
                }
            },
            DemoStep(name: "confirm-\(suffix)", title: "Confirm \(piece.rawValue)\(again)") { stage in
                try stage.inSession { ledger, session in
                    _ = try ledger.confirm(piece, in: session, try stage.options("confirm-\(suffix)"))
                    return "queued for delivery"
                }
            },
        ]
    }

    private static func refused(_ file: String) -> Complaint {
        Complaint(
            "fixture_refused", "The picture \(file) was not taken as it should be.",
            remedy: "Restore Fixtures as it was, or name it with --fixtures.", exit: .refused)
    }

    /// A picture that nobody could read: it is kept, never sent, and asked for again.
    private static let blurred = DemoStep(name: "capture-blurred", title: "Capture passport_front, out of focus") { stage in
        if let obstacle = stage.obstacle { return "left out, since nothing is checked here: \(obstacle)" }
        return try stage.inSession { ledger, session in
            let file = "specimens/front-blurred.jpg"
            var request = CaptureRequest(
                session: session, piece: .passportFront, path: stage.fixtures + "/" + file, source: .camera)
            request.confirm = false
            request.options = try stage.options("capture-blurred")
            let done = try ledger.capture(request)
            guard done.check?.failure == .blurryPhoto else { throw refused(file) }
            return
                "failed its checks (\(Words.plain(CaptureFailure.blurryPhoto.rawValue))): kept, never sent, to be captured again"
        }
    }

    private static let record = DemoStep(name: "start-hologram", title: "Start the hologram's recording") { stage in
        try stage.inSession { ledger, session in
            _ = try ledger.startHologram(session, try stage.options("start-hologram"))
            return "recording"
        }
    }

    private static let offline = DemoStep(name: "sync-offline", title: "Sync while the endpoints are down") { stage in
        let report = try stage.sync(against: nil)
        return "nothing was sent, \(Words.count(report.left, "delivery", "deliveries")) durable and waiting"
    }

    private static let firstSync = DemoStep(name: "sync-first", title: "Bring the sandbox up and sync") { stage in
        let report = try stage.sync(
            against: SandboxScenario(rules: [
                .init(
                    .init(piece: Piece.passportFront.rawValue),
                    answer: .rejected(reason: "The photo shows glare.", staffReason: nil, dropPieces: []))
            ]))
        return "\(report.verified) verified, \(report.rejected) rejected: passport_front must be captured again"
    }

    private static let lastSync = DemoStep(name: "sync-last", title: "Sync again") { stage in
        let report = try stage.sync(against: SandboxScenario())
        return "\(report.verified) verified"
    }
}
