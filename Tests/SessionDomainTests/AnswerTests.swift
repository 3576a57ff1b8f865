import SessionDomain
import TestSupport
import Testing

@Suite struct AnswerTests {
    @Test func `S12 S13 S14 a verifier verifies, rejects or fails`() throws {
        let given = try Given.session(.passportFront, .selfie).after(Sample.capture(.passportFront, 1, confirm: true))
        given.when(Sample.answer(.verified, .passportFront, 1)).then("pieceVerified")
        given.when(Sample.answer(.rejected, .passportFront, 1)).then("pieceRejected")
        given.when(Sample.answer(.failed, .passportFront, 1)).thenNothing()
        let rejected = try given.after(Sample.answer(.rejected, .passportFront, 1))
        #expect(rejected.state.currentPiece == .passportFront)
        #expect(rejected.status(.passportFront) == .rejected)
        #expect(rejected.view?.pieces.first?.failure == .rejectedByVerifier)
        #expect(try given.after(Sample.answer(.failed, .passportFront, 1)).status(.passportFront) == .awaitingVerification)
    }

    @Test func `S16 the session completes once, with the last verified piece`() throws {
        let given = try Given.session(.passportFront, .selfie) { $0.autoConfirm = true }
            .after(Sample.capture(.passportFront, 1), Sample.capture(.selfie, 2), Sample.answer(.verified, .selfie, 2))
        #expect(given.state.status == .active)
        given.when(Sample.answer(.verified, .passportFront, 1)).then("pieceVerified", "sessionCompleted")
        let completed = try given.after(Sample.answer(.verified, .passportFront, 1))
        #expect(completed.view?.phase == .finished)
        completed.when(Sample.answer(.verified, .passportFront, 1)).then("pieceVerified(late)")
        completed.when(Sample.answer(.rejected, .selfie, 2)).then("pieceRejected(late)")
        #expect(try completed.after(Sample.answer(.rejected, .selfie, 2)).state.pieces == completed.state.pieces)
        completed.when(Sample.capture(.selfie, 3)).thenRejected("session_completed")
        completed.when(.exit(secret: nil)).thenRejected("session_completed")
    }

    @Test func `F2 F7 one rejected piece leaves the others as they are`() throws {
        let given = try Given.session(.passportFront, .selfie) { $0.autoConfirm = true }
            .after(
                Sample.capture(.passportFront, 1), Sample.capture(.selfie, 2), Sample.answer(.verified, .passportFront, 1),
                Sample.answer(.rejected, .selfie, 2))
        #expect(given.state.currentPiece == .selfie)
        #expect(given.status(.passportFront) == .verified)
        given.when(Sample.capture(.passportFront, 3)).thenRejected("piece_verified")
        let again = try given.after(Sample.capture(.selfie, 3))
        #expect(again.state.pieces[.selfie].captureID == Sample.captureID(3))
        again.when(Sample.answer(.verified, .selfie, 3)).then("pieceVerified", "sessionCompleted")
    }

    @Test func `F8 F9 a declined or missing piece keeps the session from completing`() throws {
        let given = try Given.session(.passportFront, .selfie) { $0.autoConfirm = true }
            .after(
                Sample.capture(.passportFront, 1), Sample.answer(.verified, .passportFront, 1))
        #expect(given.state.status == .active)
        #expect(given.view?.pieces.filter { $0.status != .verified }.map(\.piece) == [.selfie])
        let declined = try given.after(Sample.capture(.selfie, 2), Sample.answer(.rejected, .selfie, 2))
        #expect(declined.state.status == .active)
        #expect(declined.count("sessionCompleted") == 0)
    }

    @Test func `F12 the order in which answers arrive does not matter`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie) { $0.autoConfirm = true }
            .after(Sample.capture(.passportFront, 1), Sample.capture(.passportBack, 2), Sample.capture(.selfie, 3))
        let answers: [[SessionCommand]] = [
            [
                Sample.answer(.verified, .passportFront, 1), Sample.answer(.rejected, .passportFront, 1),
                Sample.answer(.failed, .passportFront, 1), Sample.park(.passportFront, 1),
            ],
            [
                Sample.answer(.verified, .passportFront, 1), Sample.answer(.verified, .passportBack, 2),
                Sample.answer(.rejected, .selfie, 3), Sample.park(.selfie, 3),
            ],
            [
                Sample.answer(.rejected, .passportFront, 1), Sample.park(.passportFront, 1, cause: "media_destroyed"),
                Sample.park(.passportFront, 1), Sample.answer(.failed, .passportFront, 1),
            ],
            [
                Sample.answer(.verified, .passportFront, 1), Sample.answer(.verified, .passportBack, 2),
                Sample.answer(.verified, .selfie, 3), Sample.answer(.rejected, .passportFront, 1),
            ],
        ]
        for four in answers {
            var outcomes: Set<[PieceStatus]> = []
            var ends: Set<SessionStatus> = []
            for order in permutations(four) {
                var after = given
                for answer in order { after = try after.after(answer) }
                outcomes.insert(after.state.order.map { after.status($0) })
                ends.insert(after.state.status)
            }
            #expect(outcomes.count == 1)
            #expect(ends.count == 1)
        }
        #expect(permutations(answers[0]).count == 24)
    }

    @Test func `a parked delivery waits to be requeued, unless its media is gone`() throws {
        let given = try Given.session(.selfie) { $0.autoConfirm = true }.after(Sample.capture(.selfie, 1))
        let parked = try given.after(Sample.park(.selfie, 1))
        #expect(parked.status(.selfie) == .parked)
        #expect(parked.view?.phase == .waitingForVerification)
        parked.when(Sample.requeue(.selfie, 1)).then("pieceDeliveryRequeued")
        let requeued = try parked.after(Sample.requeue(.selfie, 1))
        #expect(requeued.status(.selfie) == .awaitingVerification)
        requeued.when(Sample.requeue(.selfie, 1)).thenNothing()
        let gone = try given.after(Sample.park(.selfie, 1, cause: "media_destroyed"))
        #expect(gone.state.currentPiece == .selfie)
        #expect(gone.view?.phase == .needsRecapture)
        gone.when(Sample.requeue(.selfie, 1)).thenRejected("media_gone")
    }

    @Test func `an original that did not open is requeued once it is back, and not once it was destroyed`() throws {
        let unreadable = try Given.session(.selfie).after(
            Sample.capture(.selfie, 1), Sample.confirm(.selfie), Sample.park(.selfie, 1, cause: "media_unreadable"))
        #expect(unreadable.view?.phase == .needsRecapture)
        let requeued = try unreadable.after(Sample.requeue(.selfie, 1))
        #expect(requeued.status(.selfie) == .awaitingVerification && requeued.view?.phase != .needsRecapture)
        #expect(requeued.state.pieces[.selfie].failure == nil)
        let purged = try unreadable.after(
            .purgeMedia(
                PurgeMedia(piece: .selfie, captureID: Sample.captureID(1), cause: "retention", bytes: 1, commitment: nil)))
        purged.when(Sample.requeue(.selfie, 1)).thenRejected("media_gone")
        let again = try unreadable.after(Sample.capture(.selfie, 2))
        again.when(Sample.requeue(.selfie, 1)).thenRejected("capture_superseded")
    }

    @Test func `media that goes before anybody answered brings its piece back`() throws {
        func purge(_ given: Given) throws -> PieceStatus {
            try given.after(
                .purgeMedia(
                    PurgeMedia(
                        piece: .selfie, captureID: Sample.captureID(1), cause: "retention", bytes: 1, commitment: nil))
            ).status(.selfie)
        }
        let captured = try Given.session(.selfie).after(Sample.capture(.selfie, 1))
        #expect(try purge(captured) == .mediaGone)
        let sent = try captured.after(Sample.confirm(.selfie))
        #expect(try purge(sent) == .awaitingVerification)
        #expect(try purge(sent.after(Sample.park(.selfie, 1))) == .mediaGone)
        #expect(try purge(sent.after(Sample.answer(.verified, .selfie, 1))) == .verified)
        #expect(try purge(captured.after(.cancel(secret: nil))) == .captured)
    }

    @Test func `S79 a score is recorded, and below a pass mark it is a rejection`() throws {
        let plain = try Given.session(.hologram) { $0.autoConfirm = true }
            .after(.startHologramRecording, Sample.capture(.hologram, 1))
        let scored = try plain.after(Sample.answer(.verified, .hologram, 1, score: 0.01))
        #expect(scored.state.status == .completed)
        #expect(scored.view?.pieces.first?.score == 0.01)
        let marked = try Given.session(.hologram) {
            $0.autoConfirm = true
            $0.hologramPassMark = 0.5
        }.after(.startHologramRecording, Sample.capture(.hologram, 1))
        marked.when(Sample.answer(.verified, .hologram, 1, score: 0.49)).then("pieceRejected")
        marked.when(Sample.answer(.verified, .hologram, 1, score: 0.5)).then("pieceVerified", "sessionCompleted")
        marked.when(Sample.answer(.verified, .hologram, 1)).thenRejected("score_missing")
        #expect(
            try marked.after(Sample.answer(.verified, .hologram, 1, score: 0.49)).view?.pieces.first?.failure
                == .scoreBelowPassMark)
    }

    @Test func `S15 what a verifier says is kept beside the event, byte for byte, and nowhere in it`() throws {
        let payload: Secret = Array("{\"b\": 1,  \"a\":[1e2, \"\\u00e9\"]}".utf8)
        let given = try Given.session(.selfie).after(Sample.capture(.selfie, 1, confirm: true))
        let decided = try given.when(Sample.answer(.verified, .selfie, 1, secret: payload)).result.get()
        #expect(decided.map(\.secret) == [payload, nil])
    }

    private func permutations(_ commands: [SessionCommand]) -> [[SessionCommand]] {
        guard commands.count > 1 else { return [commands] }
        return commands.indices.flatMap { index -> [[SessionCommand]] in
            var rest = commands
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
