import SessionDomain
import TestSupport
import Testing

@Suite struct LifecycleTests {
    @Test func `S17 an exited session never completes by itself`() throws {
        let given = try Given.session(.selfie).after(Sample.capture(.selfie, 1, confirm: true), .exit(secret: nil))
        given.when(Sample.answer(.verified, .selfie, 1)).then("pieceVerified")
        let answered = try given.after(Sample.answer(.verified, .selfie, 1))
        #expect(answered.state.status == .exited)
        #expect(answered.count("sessionCompleted") == 0)
        answered.when(.exit(secret: nil)).thenNothing()
        answered.when(Sample.capture(.selfie, 2)).thenRejected("session_exited")
        answered.when(.resume).then("sessionResumed", "sessionCompleted")
    }

    @Test func `an exit says where the session stood`() throws {
        let given = try Given.session(.passportFront, .selfie)
        given.when(.exit(secret: nil)).then("sessionExited(before_any_capture)")
        let captured = try given.after(Sample.capture(.passportFront, 1, confirm: true))
        captured.when(.exit(secret: nil)).then("sessionExited(while_capturing)")
        try captured.after(Sample.refuse(.selfie, because: .truncated)).when(.exit(secret: nil))
            .then("sessionExited(after_refusal)")
        try captured.after(Sample.answer(.rejected, .passportFront, 1)).when(.exit(secret: nil))
            .then("sessionExited(after_rejection)")
        try captured.after(Sample.capture(.selfie, 2, confirm: true)).when(.exit(secret: nil))
            .then("sessionExited(while_waiting)")
    }

    @Test func `F11 a pause is not an exit and changes no piece`() throws {
        let given = try Given.session(.passportFront, .selfie).after(Sample.capture(.passportFront, 1, confirm: true))
        let suspended = try given.after(.suspend)
        #expect(suspended.state.pieces == given.state.pieces)
        suspended.when(.suspend).thenNothing()
        suspended.when(Sample.capture(.selfie, 2)).thenRejected("session_suspended")
        suspended.when(Sample.answer(.verified, .passportFront, 1)).then("pieceVerified")
        let resumed = try suspended.after(.resume)
        #expect(resumed.state.pieces == given.state.pieces)
        #expect(resumed.state.currentPiece == .selfie)
        resumed.when(.resume).thenNothing()
        try given.after(.suspend).when(.exit(secret: nil)).then("sessionExited(while_capturing)")
    }

    @Test func `F11 a session starts once`() throws {
        try Given.session(.selfie).when(Sample.start(Sample.configuration([.selfie]))).thenRejected("already_started")
    }

    @Test func `a session expires after its deadline, only while it is capturing`() throws {
        let given = try Given.session(.passportFront, .selfie) { $0.deadlineMilliseconds = 60_000 }
        given.when(.expire).thenRejected("not_due")
        given.later(by: 59_999).when(.expire).thenRejected("not_due")
        given.later(by: 60_000).when(.expire).then("sessionExpired")
        let waiting = try given.after(Sample.capture(.passportFront, 1, confirm: true)).later(by: 60_000)
        waiting.when(.expire).thenRejected("nothing_to_expire")
        try waiting.after(Sample.answer(.rejected, .passportFront, 1)).when(.expire).then("sessionExpired")
        try Given.session(.selfie).later(by: .max / 2).when(.expire).thenRejected("not_due")
        let expired = try given.later(by: 60_000).after(.expire)
        expired.when(.expire).thenNothing()
        expired.when(.resume).thenRejected("session_expired")
    }

    @Test func `an exited session can be resumed until its deadline`() throws {
        let given = try Given.session(.selfie) { $0.deadlineMilliseconds = 60_000 }.after(.exit(secret: nil))
        given.later(by: 59_999).when(.resume).then("sessionResumed")
        given.later(by: 60_000).when(.resume).thenRejected("deadline_passed")
        let resumed = try given.after(.resume)
        #expect(resumed.state.exitClass == nil)
        resumed.when(Sample.capture(.selfie, 1)).then("pieceCaptured")
    }

    @Test func `a cancelled session takes late answers and nothing else`() throws {
        let given = try Given.session(.selfie).after(Sample.capture(.selfie, 1, confirm: true), .cancel(secret: nil))
        given.when(Sample.answer(.verified, .selfie, 1)).then("pieceVerified(late)")
        given.when(.resume).thenRejected("session_cancelled")
        given.when(.cancel(secret: nil)).thenNothing()
        given.when(Sample.confirm(.selfie)).thenRejected("session_cancelled")
        given.when(.drop(pieces: [.selfie])).thenRejected("session_cancelled")
    }

    @Test func `erasure may follow anything, once, and refuses everything after it`() throws {
        let open = try Given.session(.selfie).after(Sample.capture(.selfie, 1, confirm: true))
        for given in [open, try open.after(.cancel(secret: nil)), try open.after(Sample.answer(.verified, .selfie, 1))] {
            given.when(.erase).then("sessionErased")
            let erased = try given.after(.erase)
            erased.when(.erase).thenNothing()
            erased.when(Sample.answer(.verified, .selfie, 1)).thenRejected("session_erased")
            erased.when(Sample.capture(.selfie, 2)).thenRejected("session_erased")
            #expect(erased.view?.status == .erased)
            #expect(erased.view?.phase == .finished)
            #expect(erased.state.pieces == given.state.pieces)
        }
    }

    @Test func `S95 a session that holds an event of a newer version refuses commands, but not erasure`() throws {
        var state = try Given.session(.selfie).state
        state.applyUnknown()
        #expect(state.version == 2)
        #expect(throws: Rejection.needsNewerVersion) {
            try SessionDecider.decide(Sample.capture(.selfie, 1), state, now: Sample.now)
        }
        #expect(try SessionDecider.decide(.erase, state, now: Sample.now).count == 1)
    }

    @Test func `a stale version is refused with both numbers`() throws {
        let state = try Given.session(.selfie).state
        #expect(throws: Rejection.staleVersion(expected: 7, actual: 1)) { try SessionDecider.check(expectedVersion: 7, state) }
        try SessionDecider.check(expectedVersion: 1, state)
        try SessionDecider.check(expectedVersion: nil, state)
    }

    @Test func `S24 S67 S68 what the user did is recorded`() throws {
        let given = try Given.session(.passportFront, .selfie)
        for interaction in Interaction.allCases {
            switch interaction {
            case .flipShown, .flipDone: given.when(Sample.interaction(interaction)).thenRejected("flip_not_next")
            case .fallbackLinkTapped:
                given.when(Sample.interaction(interaction, .selfie)).thenRejected("no_fallback_link")
            default: given.when(Sample.interaction(interaction, .selfie)).then("interactionRecorded")
            }
        }
        given.when(Sample.interaction(.retryRequested)).thenRejected("interaction_needs_piece")
    }

    @Test func `S9 a fallback link is tapped on passport pages and the selfie`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie, .hologram) {
            $0.fallbackLink = FallbackLink(title: "Not at hand?")
        }
        for piece in [Piece.passportFront, .passportBack, .selfie] {
            given.when(Sample.interaction(.fallbackLinkTapped, piece)).then("interactionRecorded")
        }
        given.when(Sample.interaction(.fallbackLinkTapped, .hologram)).thenRejected("no_fallback_link")
    }
}
