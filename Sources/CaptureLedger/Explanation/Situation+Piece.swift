package import SessionDomain

/// A piece of a session with what is known around it.
package struct PieceStanding: Sendable {
    package let session: SessionID
    package let piece: Piece
    package let state: SessionState
    /// When the piece came to be as it is.
    package var sinceMilliseconds: Int64?
    /// Of the latest capture's delivery, where there is one.
    package var delivery: Situation?

    package init(_ piece: Piece, of session: SessionID, _ state: SessionState) {
        self.piece = piece
        self.session = session
        self.state = state
    }

    var slot: PieceState { state.pieces[piece] }
    var failure: FailureText? { slot.failure?.text }
    /// Whether its latest capture waits for a judgement that still changes something.
    var isUnchecked: Bool { state.unchecked.contains(piece) }
    var retake: String { "retake \(session.text) \(piece.rawValue)" }
    var confirm: String { "confirm \(session.text) \(piece.rawValue)" }
}

extension Situation {
    /// Of a piece, in a session that is not erased and is known in full.
    package init(_ standing: PieceStanding) {
        switch standing.slot.status {
        case .absent: self.init("It is not part of the session.", next: "Nothing.", .nobody)
        case .dropped:
            self.init("It was dropped from the session.", since: standing.sinceMilliseconds, next: "Nothing.", .nobody)
        case .verified: self.init("It is verified.", since: standing.sinceMilliseconds, next: "Nothing is left to do.", .nobody)
        case .awaitingVerification:
            self =
                standing.delivery
                ?? Situation(
                    "It was confirmed and waits to be sent.", since: standing.sinceMilliseconds,
                    next: "The next sync sends it.",
                    .worker, ["sync"])
        case .parked:
            self =
                standing.delivery
                ?? Situation(
                    "Its delivery was given up.", since: standing.sinceMilliseconds,
                    next: "Nothing, until a person removes the cause and has it tried again.", .operator,
                    ["sync list --status parked --session \(standing.session.text)"])
        case .pending, .captured, .refusedByChecks, .rejected, .mediaGone:
            self = standing.state.status.isOpen ? Self.open(standing) : Self.over(standing)
        }
    }

    /// What a person types, or a client does, to capture a piece.
    static func capturing(_ piece: Piece, _ session: SessionID) -> [String] {
        let capture = "capture \(session.text) \(piece.rawValue) FILE"
        return piece == .hologram ? ["hologram start \(session.text)", capture] : [capture]
    }

    /// What only a capture could change, in a session that takes none.
    private static func over(_ standing: PieceStanding) -> Situation {
        let isExited = standing.state.status == .exited
        // an exit keeps its deliveries: what did not open can still come back
        if isExited, standing.slot.status == .mediaGone, let delivery = standing.delivery, delivery.who == .operator {
            return delivery
        }
        return Situation(
            "The session is over (\(standing.state.status.rawValue)): nothing more is captured.",
            since: standing.sinceMilliseconds,
            next: isExited ? "Nothing, unless the session is resumed." : "Nothing.", .nobody,
            isExited ? ["session resume \(standing.session.text)"] : [])
    }

    private static func open(_ standing: PieceStanding) -> Situation {
        let situation =
            switch standing.slot.status {
            case .captured: captured(standing)
            case .refusedByChecks: refusedByChecks(standing)
            case .mediaGone: mediaGone(standing)
            case .rejected:
                again(standing, nil, code: standing.slot.failure?.rawValue)
            default: pending(standing)
            }
        guard standing.state.status == .suspended, situation.who == .user else { return situation }
        var paused = situation
        paused.why += " The session is suspended."
        paused.next = "First the session is resumed. " + situation.next
        paused.commands = ["session resume \(standing.session.text)"] + situation.commands
        return paused
    }

    private static func pending(_ standing: PieceStanding) -> Situation {
        let (piece, current) = (standing.piece, standing.state.currentPiece)
        if let current, current != piece {
            return Situation(
                "It is not its turn yet: \(current.rawValue) comes first.", since: standing.sinceMilliseconds,
                next: "It is captured after \(current.rawValue).", .user)
        }
        let why =
            standing.failure.map { "The last file was not taken in: \($0.staff)" }
            ?? (standing.slot.attempts > 0
                ? "Its capture was set aside, to be taken again." : "It has not been captured yet.")
        if piece == .hologram, standing.state.hologram.isRecording {
            return Situation(
                "Its video is being recorded.", since: standing.sinceMilliseconds, next: "The video is captured.", .user,
                ["capture \(standing.session.text) hologram FILE", "hologram cancel \(standing.session.text)"])
        }
        return Situation(
            why, since: standing.sinceMilliseconds, next: standing.failure?.remedy ?? "The person captures it.", .user,
            capturing(piece, standing.session), code: standing.slot.failure?.rawValue)
    }

    private static func captured(_ standing: PieceStanding) -> Situation {
        let isRequired = standing.state.configuration?.value.checks == .required
        if standing.isUnchecked, isRequired {
            return Situation(
                "It was captured and waits for its checks, which come before it can be confirmed.",
                since: standing.sinceMilliseconds,
                next: standing.slot.confirmsAfterChecks
                    ? "When it passes it is confirmed by itself; when it fails it must be captured again."
                    : "When it passes it can be confirmed; when it fails it must be captured again.",
                .operator, ["check --pending"])
        }
        let checks =
            standing.isUnchecked
            ? " Its checks come before it is sent." : standing.slot.isChecked ? " It passed its checks." : ""
        return Situation(
            "It was captured and waits to be confirmed.\(checks)", since: standing.sinceMilliseconds,
            next: "Once confirmed it is sent; what is not confirmed never is.", .user, [standing.confirm, standing.retake])
    }

    private static func refusedByChecks(_ standing: PieceStanding) -> Situation {
        guard standing.slot.failure == .scannerNotReady, standing.isUnchecked else {
            return again(standing, "It did not pass its checks.", code: standing.slot.failure?.rawValue)
        }
        return Situation(
            "No scanner was ready to check it: it is neither passed nor failed.", since: standing.sinceMilliseconds,
            next: "Once a scanner works it is checked, or the piece is captured again.", .operator,
            ["doctor", "check --pending"] + capturing(standing.piece, standing.session),
            code: CaptureFailure.scannerNotReady.rawValue)
    }

    private static func mediaGone(_ standing: PieceStanding) -> Situation {
        if standing.slot.parkCause == CaptureFailure.mediaUnreadable.rawValue, var delivery = standing.delivery {
            delivery.next += " Or the piece is captured again."
            delivery.commands += capturing(standing.piece, standing.session)
            return delivery
        }
        return again(standing, "Its original no longer exists.", code: standing.slot.failure?.rawValue)
    }

    /// The piece must be captured again.
    private static func again(_ standing: PieceStanding, _ lead: String?, code: String?) -> Situation {
        let (piece, current) = (standing.piece, standing.state.currentPiece)
        let why = [lead, standing.failure?.staff].compactMap(\.self).joined(separator: " ")
        guard current == nil || current == piece else {
            return Situation(
                why, since: standing.sinceMilliseconds,
                next: "It is captured again after \(current?.rawValue ?? "the others").", .user, code: code)
        }
        return Situation(
            why, since: standing.sinceMilliseconds, next: standing.failure?.remedy ?? "The piece is captured again.", .user,
            capturing(piece, standing.session), code: code)
    }
}
