import SessionDomain
import TestSupport
import Testing

/// What the three modes make of a judgement.
@Suite struct ChecksTests {
    @Test func `required checks hold the confirmation back until they pass`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }.after(Sample.capture(.selfie, 1))
        #expect(given.state.unchecked == [.selfie])
        given.when(Sample.confirm(.selfie)).thenRejected("not_checked")
        let passed = try given.after(Sample.checks(.selfie, 1))
        #expect(passed.state.unchecked == [])
        passed.when(Sample.confirm(.selfie)).then("pieceConfirmed")
    }

    @Test func `a deferred check comes after the confirmation, and a failed one asks for a recapture`() throws {
        let given = try Given.session(.selfie) { $0.checks = .deferred }
        given.when(Sample.capture(.selfie, 1, confirm: true)).then("pieceCaptured", "pieceConfirmed")
        let waiting = try given.after(Sample.capture(.selfie, 1, confirm: true))
        #expect(waiting.state.unchecked == [.selfie] && waiting.view?.phase == .waitingForVerification)
        waiting.when(Sample.checks(.selfie, 1)).then("pieceChecked")
        #expect(try waiting.after(Sample.checks(.selfie, 1)).status(.selfie) == .awaitingVerification)
        let failed = try waiting.after(Sample.checks(.selfie, 1, failure: .glasses))
        #expect(failed.status(.selfie) == .refusedByChecks && failed.view?.currentPiece == .selfie)
        #expect(failed.view?.lastFailure == .glasses && failed.state.unchecked == [])
        failed.when(Sample.answer(.verified, .selfie, 1)).then("pieceVerified(late)")
    }

    @Test func `a deferred check counts after an exit, which keeps its deliveries, and not after a cancellation`() throws {
        let given = try Given.session(.selfie, .passportFront) { $0.checks = .deferred }
            .after(Sample.capture(.selfie, 1, confirm: true))
        let exited = try given.after(.exit(secret: nil))
        #expect(exited.state.unchecked == [.selfie])
        #expect(try exited.after(Sample.checks(.selfie, 1, failure: .glasses)).status(.selfie) == .refusedByChecks)
        let cancelled = try given.after(.cancel(secret: nil))
        #expect(cancelled.state.unchecked == [])
        #expect(try cancelled.after(Sample.checks(.selfie, 1, failure: .glasses)).status(.selfie) == .awaitingVerification)
    }

    @Test func `two checkers at once check once in effect`() throws {
        for mode in [ChecksMode.required, .deferred] {
            let given = try Given.session(.selfie) { $0.checks = mode }
                .after(Sample.capture(.selfie, 1, confirm: true), Sample.checks(.selfie, 1))
            given.when(Sample.checks(.selfie, 1)).thenNothing()
            given.when(Sample.checks(.selfie, 1, failure: .glasses)).thenNothing()
            #expect(given.count("pieceChecked") == 1 && given.count("pieceConfirmed") == 1)
        }
    }

    @Test func `S39 a scanner that was not ready refuses the upload, and the check may come later`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }
            .after(Sample.capture(.selfie, 1, confirm: true), Sample.checks(.selfie, 1, failure: .scannerNotReady))
        #expect(given.status(.selfie) == .refusedByChecks && given.view?.lastFailure == .scannerNotReady)
        #expect(given.state.unchecked == [.selfie])
        given.when(Sample.checks(.selfie, 1, failure: .scannerNotReady)).thenNothing()
        given.when(Sample.checks(.selfie, 1)).then("pieceChecked", "pieceConfirmed")
        #expect(try given.after(Sample.checks(.selfie, 1, failure: .glasses)).view?.lastFailure == .glasses)
        // the same bytes were not judged: they may be tried again, and a refused file in between changes nothing
        given.when(Sample.capture(.selfie, 2, picture: 1)).then("pieceCaptured")
        let refused = try given.after(Sample.refuse(.selfie, because: .truncated))
        refused.when(Sample.checks(.selfie, 1)).then("pieceChecked", "pieceConfirmed")
    }

    @Test func `S39 a capture that the user takes back while its scanner was not ready is not judged and never sent`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }
            .after(Sample.capture(.selfie, 1, confirm: true), Sample.checks(.selfie, 1, failure: .scannerNotReady))
        given.when(Sample.retake(.selfie)).then("pieceRetaken")
        let retaken = try given.after(Sample.retake(.selfie))
        #expect(retaken.state.unchecked.isEmpty && retaken.state.currentPiece == .selfie)
        #expect(try retaken.after(Sample.checks(.selfie, 1)).count("pieceConfirmed") == 0)
    }

    @Test func `a missing scanner says nothing about a capture that was confirmed already`() throws {
        let given = try Given.session(.selfie) { $0.checks = .deferred }.after(Sample.capture(.selfie, 1, confirm: true))
        given.when(Sample.checks(.selfie, 1, failure: .scannerNotReady)).thenNothing()
    }

    @Test(arguments: [ChecksMode.required, .deferred])
    func `F14 bytes that failed the checks are refused again, and nothing is sent for them`(_ mode: ChecksMode) throws {
        let given = try Given.session(.selfie) { $0.checks = mode }
            .after(Sample.capture(.selfie, 1, confirm: true), Sample.checks(.selfie, 1, failure: .blurryPhoto))
        given.when(Sample.capture(.selfie, 2, picture: 1)).then("captureRefused(already_failed)")
        #expect(given.when(Sample.capture(.selfie, 2, picture: 2)).names.first == "pieceCaptured")
    }

    @Test func `S53 the crop is kept of a capture that passed, and of no other`() throws {
        let given = try Given.session(.passportFront) { $0.checks = .required }.after(Sample.capture(.passportFront, 1))
        func crop(_ command: SessionCommand) -> PageCrop? {
            guard case .pieceChecked(let checked)? = given.when(command).events.first else { return nil }
            return checked.crop
        }
        #expect(crop(Sample.checks(.passportFront, 1, crop: Sample.crop(1))) == Sample.crop(1))
        #expect(crop(Sample.checks(.passportFront, 1, failure: .glare, crop: Sample.crop(1))) == nil)
    }
}
