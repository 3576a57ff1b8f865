import SessionDomain
import TestSupport
import Testing

@Suite struct CaptureTests {
    @Test func `S6 uploads are refused and recorded unless they are allowed`() throws {
        let strict = try Given.session(.passportFront)
        for source in [CaptureSource.gallery, .file] {
            strict.when(Sample.capture(.passportFront, 1, source: source)).then("captureRefused(uploads_not_allowed)")
            let open = try Given.session(.passportFront) { $0.allowUploadFromDevice = true }
            open.when(Sample.capture(.passportFront, 1, source: source)).then("pieceCaptured")
        }
        let refused = try strict.after(Sample.capture(.passportFront, 1, source: .file))
        #expect(refused.status(.passportFront) == .pending)
        #expect(refused.state.pieces[.passportFront].attempts == 0)
        #expect(refused.state.currentPiece == .passportFront)
    }

    @Test func `S11 nothing is confirmed before the user says so`() throws {
        let given = try Given.session(.passportFront)
        given.when(Sample.capture(.passportFront, 1)).then("pieceCaptured")
        given.when(Sample.capture(.passportFront, 1, confirm: true)).then("pieceCaptured", "pieceConfirmed")
        let captured = try given.after(Sample.capture(.passportFront, 1))
        captured.when(Sample.confirm(.passportFront)).then("pieceConfirmed")
        captured.when(Sample.retake(.passportFront)).then("pieceRetaken")
        let retaken = try captured.after(Sample.retake(.passportFront))
        #expect(retaken.state.currentPiece == .passportFront)
        retaken.when(Sample.confirm(.passportFront)).thenRejected("nothing_captured")
        retaken.when(Sample.retake(.passportFront)).thenNothing()
        try captured.after(Sample.confirm(.passportFront)).when(Sample.confirm(.passportFront)).thenNothing()
        try captured.after(Sample.confirm(.passportFront)).when(Sample.retake(.passportFront))
            .thenRejected("already_confirmed")
    }

    @Test func `S11 autoConfirm serves hosts without a review step, and a command may differ`() throws {
        let given = try Given.session(.selfie) { $0.autoConfirm = true }
        given.when(Sample.capture(.selfie, 1)).then("pieceCaptured", "pieceConfirmed")
        given.when(Sample.capture(.selfie, 1, confirm: false)).then("pieceCaptured")
    }

    @Test func `a confirmation names the capture's destination`() throws {
        let given = try Given.session(.passportFront, .selfie, .hologram) {
            $0.destinations = [.selfie: "host"]
            $0.autoConfirm = true
        }.after(
            Sample.capture(.passportFront, 1), Sample.capture(.selfie, 2), .startHologramRecording, Sample.capture(.hologram, 3)
        )
        let destinations = given.events.compactMap { event -> String? in
            guard case .pieceConfirmed(let confirmed) = event else { return nil }
            return confirmed.destination
        }
        #expect(destinations == ["verifier", "host", "hologram"])
    }

    @Test func `F3 F10 a new capture supersedes the older one`() throws {
        let given = try Given.session(.passportFront)
            .after(
                Sample.capture(.passportFront, 1), Sample.capture(.passportFront, 2), Sample.capture(.passportFront, 3),
                Sample.confirm(.passportFront))
        #expect(given.count("pieceConfirmed") == 1)
        #expect(given.state.pieces[.passportFront].captureID == Sample.captureID(3))
        #expect(given.state.pieces[.passportFront].attempts == 3)
        let superseded = given.events.compactMap { event -> CaptureID? in
            guard case .pieceCaptured(let captured) = event else { return nil }
            return captured.supersedes
        }
        #expect(superseded == [Sample.captureID(1), Sample.captureID(2)])
        given.when(.confirm(piece: .passportFront, captureID: Sample.captureID(2))).thenRejected("capture_superseded")
        given.when(Sample.capture(.passportFront, 3)).thenRejected("capture_reused")
    }

    @Test func `F3 a confirmed capture can be replaced, and its late answer changes nothing`() throws {
        let given = try Given.session(.passportFront)
            .after(Sample.capture(.passportFront, 1, confirm: true), Sample.capture(.passportFront, 2, confirm: true))
        given.when(Sample.answer(.verified, .passportFront, 1)).then("pieceVerified(late)")
        given.when(Sample.answer(.rejected, .passportFront, 1)).then("pieceRejected(late)")
        let late = try given.after(Sample.answer(.verified, .passportFront, 1, drop: []))
        #expect(late.status(.passportFront) == .awaitingVerification)
        #expect(late.state.status == .active)
        given.when(Sample.answer(.verified, .passportFront, 2)).then("pieceVerified", "sessionCompleted")
    }

    @Test func `F14 bytes that failed the checks are refused, other bytes are not`() throws {
        let given = try Given.session(.passportFront) { $0.checks = .required }
            .after(
                Sample.capture(.passportFront, 1, picture: 77),
                Sample.checks(.passportFront, 1, failure: .blurryPhoto))
        given.when(Sample.capture(.passportFront, 2, picture: 77)).then("captureRefused(already_failed)")
        given.when(Sample.capture(.passportFront, 2, picture: 78)).then("pieceCaptured")
    }

    @Test func `F14 bytes that were rejected are refused, bytes whose delivery failed are not`() throws {
        let given = try Given.session(.passportFront)
            .after(Sample.capture(.passportFront, 1, picture: 77, confirm: true))
        try given.after(Sample.answer(.rejected, .passportFront, 1)).when(Sample.capture(.passportFront, 2, picture: 77))
            .then("captureRefused(already_failed)")
        try given.after(Sample.answer(.failed, .passportFront, 1)).when(Sample.capture(.passportFront, 2, picture: 77))
            .then("pieceCaptured")
        try given.after(Sample.park(.passportFront, 1)).when(Sample.capture(.passportFront, 2, picture: 77))
            .then("pieceCaptured")
        try given.after(Sample.park(.passportFront, 1, cause: "media_expired"))
            .when(Sample.capture(.passportFront, 2, picture: 77)).then("pieceCaptured")
    }

    @Test func `a runner that was not ready says nothing about the bytes`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }
            .after(Sample.capture(.selfie, 1, picture: 77), Sample.checks(.selfie, 1, failure: .scannerNotReady))
        #expect(given.status(.selfie) == .refusedByChecks)
        given.when(Sample.capture(.selfie, 2, picture: 77)).then("pieceCaptured")
    }

    @Test func `required checks come before the confirmation`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }
        let captured = try given.after(Sample.capture(.selfie, 1))
        captured.when(Sample.confirm(.selfie)).thenRejected("not_checked")
        try captured.after(Sample.checks(.selfie, 1)).when(Sample.confirm(.selfie)).then("pieceConfirmed")
        let failed = try captured.after(Sample.checks(.selfie, 1, failure: .glasses))
        failed.when(Sample.confirm(.selfie)).thenRejected("failed_checks")
        #expect(failed.state.currentPiece == .selfie)
        #expect(failed.view?.phase == .capturing)
    }

    @Test func `a capture to be confirmed waits for required checks and goes when they pass`() throws {
        let given = try Given.session(.selfie) {
            $0.checks = .required
            $0.autoConfirm = true
        }
        given.when(Sample.capture(.selfie, 1)).then("pieceCaptured")
        let captured = try given.after(Sample.capture(.selfie, 1))
        captured.when(Sample.checks(.selfie, 1)).then("pieceChecked", "pieceConfirmed")
        captured.when(Sample.checks(.selfie, 1, failure: .glasses)).then("pieceChecked(glasses)")
    }

    @Test func `findings for a replaced capture are late`() throws {
        let given = try Given.session(.selfie) { $0.checks = .required }
            .after(Sample.capture(.selfie, 1), Sample.capture(.selfie, 2))
        let late = try given.after(Sample.checks(.selfie, 1, failure: .glasses))
        #expect(late.status(.selfie) == .captured)
        late.when(Sample.confirm(.selfie)).thenRejected("not_checked")
    }

    @Test func `facts hold codes and finite numbers only`() throws {
        let given = try Given.session(.selfie).after(Sample.capture(.selfie, 1))
        given.when(Sample.checks(.selfie, 1, failure: CaptureFailure(rawValue: "Jane Doe"))).thenRejected("not_a_code")
        let finding = Finding(metric: "blur_score", value: .nan)
        var checks = RecordChecks(piece: .selfie, captureID: Sample.captureID(1))
        checks.findings = [finding]
        given.when(.recordChecks(checks)).thenRejected("not_finite")
    }
}
