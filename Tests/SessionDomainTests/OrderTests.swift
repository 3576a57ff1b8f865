import SessionDomain
import TestSupport
import Testing

@Suite struct OrderTests {
    @Test func `S1 S2 the current piece follows the order of the list`() throws {
        let given = try Given.session(.passportBack, .passportFront)
        #expect(given.state.currentPiece == .passportBack)
        given.when(Sample.capture(.passportFront, 1)).thenRejected("not_current_piece")
        given.when(Sample.capture(.selfie, 1)).thenRejected("unknown_piece")
        given.when(Sample.capture(.passportBack, 1)).then("pieceCaptured")
    }

    @Test func `S2 an empty or repeating list of pieces starts nothing`() {
        Given().when(Sample.start(Sample.configuration([]))).thenRejected("no_pieces")
        Given().when(Sample.start(Sample.configuration([.selfie, .selfie]))).thenRejected("duplicate_piece")
        Given().when(Sample.capture(.selfie, 1)).thenRejected("not_started")
    }

    @Test func `later pieces are captured while earlier ones wait`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie) { $0.autoConfirm = true }
            .after(Sample.capture(.passportFront, 1), Sample.capture(.passportBack, 2), Sample.capture(.selfie, 3))
        #expect(given.state.currentPiece == nil)
        #expect(given.view?.phase == .waitingForVerification)
        let rejected = try given.after(Sample.answer(.rejected, .passportBack, 2))
        #expect(rejected.state.currentPiece == .passportBack)
        #expect(rejected.view?.phase == .needsRecapture)
    }

    @Test func `S7 progress counts the session's own remaining pieces`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie) {
            $0.progress = .segments(count: 9, filled: 8)
            $0.autoConfirm = true
        }
        #expect(given.view?.progress == .segments(count: 3, filled: 0))
        let captured = try given.after(Sample.capture(.passportFront, 1))
        #expect(captured.view?.progress == .segments(count: 3, filled: 1))
        #expect(try captured.after(.drop(pieces: [.passportBack])).view?.progress == .segments(count: 2, filled: 1))

        let steps = try Given.session(.selfie) { $0.progress = .steps(count: 7, filled: 3) }
        #expect(try steps.after(Sample.capture(.selfie, 1, confirm: true)).view?.progress == .steps(count: 7, filled: 3))
        let fraction = try Given.session(.passportFront, .selfie) { $0.progress = .fraction }
        #expect(try fraction.after(Sample.capture(.passportFront, 1, confirm: true)).view?.progress == .fraction(0.5))
        #expect(try Given.session(.selfie).view?.progress == .hidden)
    }

    @Test func `S21 the flip is shown only when the back is next and was never captured`() throws {
        let given = try Given.session(.passportFront, .passportBack, .selfie)
        given.when(Sample.interaction(.flipShown)).thenRejected("flip_not_next")
        let front = try given.after(Sample.capture(.passportFront, 1, confirm: true))
        front.when(Sample.interaction(.flipShown)).then("interactionRecorded")
        let dropped = try front.after(Sample.answer(.verified, .passportFront, 1, drop: [.passportBack]))
        dropped.when(Sample.interaction(.flipShown)).thenRejected("flip_not_next")
        let back = try front.after(Sample.capture(.passportBack, 2), Sample.retake(.passportBack))
        back.when(Sample.interaction(.flipShown)).thenRejected("flip_not_next")
    }

    @Test func `F13 asking ten times counts nothing and one capture counts one`() throws {
        let given = try Given.session(.selfie)
        for _ in 0..<10 { _ = given.view }
        #expect(given.view?.pieces.first?.attempts == 0)
        #expect(try given.after(Sample.refuse(.selfie, because: .truncated)).view?.pieces.first?.attempts == 0)
        #expect(try given.after(Sample.capture(.selfie, 1)).view?.pieces.first?.attempts == 1)
    }
}
