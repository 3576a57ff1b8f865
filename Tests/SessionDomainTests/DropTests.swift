import SessionDomain
import TestSupport
import Testing

@Suite struct DropTests {
    @Test func `S18 drop touches only pieces never captured`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie).after(Sample.capture(.passportFront, 1))
        let dropped = try given.after(.drop(pieces: [.passportFront, .passportBack, .hologram]))
        #expect(dropped.events.last == .pendingPiecesDropped(PendingPiecesDropped(pieces: [.passportBack], by: .host)))
        dropped.when(.drop(pieces: [.passportFront, .passportBack])).thenNothing()
        dropped.when(.drop(pieces: [])).thenNothing()
        let retaken = try given.after(Sample.retake(.passportFront))
        retaken.when(.drop(pieces: [.passportFront])).thenNothing()
        dropped.when(Sample.capture(.passportBack, 2)).thenRejected("piece_dropped")
    }

    @Test func `S18 refused media is no capture`() throws {
        let given = try Given.session(.passportFront, .selfie).after(Sample.refuse(.passportFront, because: .empty))
        given.when(.drop(pieces: [.passportFront])).then("pendingPiecesDropped")
    }

    @Test func `S19 a verifier's drop comes before its answer, and the flow goes straight on`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie)
            .after(Sample.capture(.passportFront, 1, confirm: true))
        given.when(Sample.answer(.verified, .passportFront, 1, drop: [.passportBack]))
            .then("pendingPiecesDropped", "pieceVerified")
        let answered = try given.after(Sample.answer(.verified, .passportFront, 1, drop: [.passportBack]))
        #expect(answered.state.currentPiece == .selfie)
    }

    @Test func `S20 dropping the last pending piece completes when the current one verifies`() throws {
        let given = try Given.session(.passportFront, .passportBack).after(Sample.capture(.passportFront, 1, confirm: true))
        given.when(Sample.answer(.verified, .passportFront, 1, drop: [.passportBack]))
            .then("pendingPiecesDropped", "pieceVerified", "sessionCompleted")
        given.when(Sample.answer(.rejected, .passportFront, 1, drop: [.passportBack]))
            .then("pendingPiecesDropped", "pieceRejected")
        let rejected = try given.after(Sample.answer(.rejected, .passportFront, 1, drop: [.passportBack]))
        #expect(rejected.status(.passportBack) == .dropped)
        try rejected.after(Sample.capture(.passportFront, 2, confirm: true))
            .when(Sample.answer(.verified, .passportFront, 2)).then("pieceVerified", "sessionCompleted")
    }

    @Test func `dropping what is left after everything else verified completes at once`() throws {
        let given = try Given.session(.passportFront, .passportBack)
            .after(Sample.capture(.passportFront, 1, confirm: true), Sample.answer(.verified, .passportFront, 1))
        given.when(.drop(pieces: [.passportBack])).then("pendingPiecesDropped", "sessionCompleted")
    }

    @Test func `dropping everything is refused`() throws {
        let given = try Given.session(.passportFront, .selfie)
        given.when(.drop(pieces: [.passportFront, .selfie])).thenRejected("nothing_would_remain")
        try given.after(.drop(pieces: [.selfie])).when(.drop(pieces: [.passportFront]))
            .thenRejected("nothing_would_remain")
    }

    @Test func `a late answer drops nothing`() throws {
        let given = try Given.session(.passportFront, .passportBack)
            .after(Sample.capture(.passportFront, 1, confirm: true), Sample.capture(.passportFront, 2, confirm: true))
        given.when(Sample.answer(.verified, .passportFront, 1, drop: [.passportBack])).then("pieceVerified(late)")
    }
}
