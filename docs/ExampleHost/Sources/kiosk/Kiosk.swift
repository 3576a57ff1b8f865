import CaptureLedger
import CaptureLedgerSync
import Foundation

/// Guides one guest after the other through a check-in.
final class Kiosk: Sendable {
    private let ledger: Ledger
    private let worker: SyncWorker
    private let pictures: URL
    private let verifier: BranchVerifier
    private let journal: Journal

    init(folder: URL, pictures: URL) async throws {
        let path = folder.appending(path: "my.ledger")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: path.appending(path: "ledger.sqlite").path) {
            try await Ledger.create(at: path)
        }
        ledger = try await Ledger.open(at: path)
        worker = SyncWorker(ledger: ledger)
        self.pictures = pictures
        verifier = BranchVerifier(branch: Branch(record: folder.appending(path: "branch.jsonl")))
        journal = Journal(file: folder.appending(path: "told.jsonl"))
    }

    func close() async { await ledger.close() }

    /// Returns when the guest's session is finished and its last callback has come.
    func checkIn(_ booking: String) async throws {
        var configuration = CaptureConfiguration(
            pieces: [.passportFront, .passportBack, .selfie], flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .off
        configuration.destinations[.selfie] = "verifier"
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let journal = journal
        let flow = try await CaptureFactory.makeFlow(
            in: ledger, configuration: configuration,
            clientKey: booking,  // the same key after a crash: the same session
            verifier: verifier,
            callbacks: CaptureCallbacks(
                onComplete: { results, payloads in
                    journal.note("complete", session: results.values.first?.sessionID ?? "")
                    print("\(booking): \(results.count) pieces, \(payloads.count) answers")
                    continuation.yield()
                },
                onExit: { continuation.yield() },
                onNothingLeftToCapture: { print("\(booking): you may go") }))
        try await guide(flow)
        // the guest has gone; what is left is between the kiosk, the branch and the endpoint
        while try await flow.state().phase != .finished {
            await deliver()
            try await Task.sleep(for: .milliseconds(20))
        }
        if wasTold(flow) { return }
        for await _ in ended { return }
    }

    /// Another run, such as cron's, may be at it; whatever went wrong, nothing is lost, and the next turn goes on.
    private func deliver() async {
        do { _ = try await worker.runOnce(deadline: .seconds(20)) } catch { print(error.message) }
    }

    /// Asks for one piece after the other, whatever was captured before a restart.
    private func guide(_ flow: CaptureFlow) async throws {
        while true {
            let state = try await flow.state()
            if let piece = state.piecesToReview.first {
                try await flow.confirm(piece)
            } else if let piece = state.currentPiece, state.phase != .finished {
                let receipt = try await flow.capture(piece, file: picture(of: piece), source: .camera)
                if case .refused(let failure) = receipt.outcome { print("Once more, please: \(failure.text.user)") }
            } else {
                return
            }
        }
    }

    private func wasTold(_ flow: CaptureFlow) -> Bool {
        let told = (try? String(contentsOf: journal.file, encoding: .utf8)) ?? ""
        return told.contains(flow.sessionID)
    }

    private func picture(of piece: Piece) -> URL {
        let name =
            switch piece {
            case .passportFront: "passport-front.jpg"
            case .passportBack: "passport-back.jpg"
            case .selfie: "selfie.jpg"
            case .hologram: "hologram.mp4"
            }
        return pictures.appending(path: name)
    }
}
