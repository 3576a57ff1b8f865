package import SessionDomain

/// A session with what is known around it.
package struct SessionStanding: Sendable {
    package let session: SessionID
    package let state: SessionState
    /// When its present status came about.
    package var sinceMilliseconds: Int64?
    /// Its deadline, with what the clock has jumped since.
    package var expiresAtMilliseconds: Int64?
    package var erasure: ErasureWindow?
    /// In the order of capture.
    package var pieces: [(piece: Piece, situation: Situation)] = []

    package init(_ session: SessionID, _ state: SessionState) {
        self.session = session
        self.state = state
    }

    /// What holds for the session as a whole, whatever its pieces say.
    var overall: Situation? {
        if state.isErased {
            return Situation(
                "It was erased: its key is destroyed, and nothing of it can be opened or sent.", since: sinceMilliseconds,
                next: "Nothing.", .nobody)
        }
        if let erasure {
            return Situation(
                "Its erasure was asked for: nothing of it opens or is sent any more.", since: erasure.requestedAtMilliseconds,
                next: "It is erased then, unless the request is withdrawn before.", at: erasure.dueAtMilliseconds, .nobody,
                ["erase --undo \(session.text)"])
        }
        guard state.needsNewerVersion else { return nil }
        return Situation(
            "It holds an event that a newer version wrote, so this one does not touch it.", since: sinceMilliseconds,
            next: "Nothing, until this program is updated.", .operator, code: "needs_newer_version")
    }
}

extension Situation {
    /// Of a session: of all its pieces what counts first.
    package init(_ standing: SessionStanding) {
        if let overall = standing.overall {
            self = overall
            return
        }
        switch standing.state.status {
        case .none: self.init("It was never started.", next: "Nothing.", .nobody)
        case .completed:
            self.init("Every piece is verified.", since: standing.sinceMilliseconds, next: "Nothing is left to do.", .nobody)
        case .cancelled:
            self.init("The host called it off.", since: standing.sinceMilliseconds, next: "Nothing.", .nobody)
        case .expired:
            self.init(
                "Its deadline passed while it was still capturing.", since: standing.sinceMilliseconds, next: "Nothing.",
                .nobody)
        case .exited: self = Self.exited(standing)
        case .active, .suspended: self = Self.open(standing)
        }
    }

    /// An exit keeps what was confirmed.
    private static func exited(_ standing: SessionStanding) -> Situation {
        let place = standing.state.exitClass.map { " (\(plain($0.rawValue)))" } ?? ""
        let resume = ["session resume \(standing.session.text)"]
        let kept = standing.pieces.first { $0.situation.who.isPerson } ?? standing.pieces.first { $0.situation.who == .worker }
        guard let kept else {
            return Situation(
                "The user backed out\(place).", since: standing.sinceMilliseconds, next: "Nothing, unless it is resumed.",
                at: nil, .nobody, resume)
        }
        var situation = kept.situation
        situation.why = "The user backed out\(place); what was confirmed is kept. \(kept.piece.rawValue): \(situation.why)"
        situation.sinceMilliseconds = standing.sinceMilliseconds
        situation.commands += resume
        return situation
    }

    private static func open(_ standing: SessionStanding) -> Situation {
        let lead = leading(standing)
        guard var situation = lead?.situation, let piece = lead?.piece else {
            return Situation("Nothing is left to capture.", since: standing.sinceMilliseconds, next: "Nothing.", .nobody)
        }
        situation.why = "\(piece.rawValue): \(situation.why)"
        let others = standing.pieces.filter { $0.piece != piece && $0.situation.who.isPerson }
        for other in others where other.situation.who != situation.who {
            situation.why += " Also \(other.piece.rawValue) (\(other.situation.who.rawValue)): \(other.situation.why)"
        }
        for command in others.flatMap(\.situation.commands) where !situation.commands.contains(command) {
            situation.commands.append(command)
        }
        if situation.who == .user, situation.atMilliseconds == nil, !standing.state.hasConfirmedWaiting,
            let deadline = standing.expiresAtMilliseconds
        {
            situation.next += " If nothing comes, the session expires."
            situation.atMilliseconds = deadline
        }
        return situation
    }

    /// What is asked of the person who is captured comes first: that person may be standing there.
    private static func leading(_ standing: SessionStanding) -> (piece: Piece, situation: Situation)? {
        let pieces = standing.pieces
        return pieces.first { $0.piece == standing.state.currentPiece && $0.situation.who == .user }
            ?? pieces.first { $0.situation.who == .user && !$0.situation.commands.isEmpty }
            ?? pieces.first { $0.situation.who.isPerson } ?? pieces.first { $0.situation.who == .worker } ?? pieces.last
    }
}
