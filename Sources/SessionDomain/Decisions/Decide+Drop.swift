extension SessionDecider {
    /// Takes pieces never captured out of the run; the others named are ignored (S18).
    static func drop(_ pieces: [Piece], by origin: DropOrigin, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided]
    {
        try requireOpen(state)
        guard let dropped = droppable(pieces, by: origin, state) else { throw .nothingWouldRemain }
        return dropped.isEmpty ? [] : completing(dropped, state, now: now)
    }

    /// nil when nothing would remain.
    static func droppable(_ pieces: [Piece], by origin: DropOrigin, _ state: SessionState) -> [Decided]? {
        let leaving = state.order.filter { piece in
            pieces.contains(piece) && state.pieces[piece].attempts == 0 && state.pieces[piece].status == .pending
        }
        guard !leaving.isEmpty else { return [] }
        let remains = state.order.contains { !leaving.contains($0) && state.pieces[$0].status != .dropped }
        guard remains else { return nil }
        let end = leaving.contains(.hologram) ? endOfRecording(state, cause: .pieceDropped) : []
        return end + [Decided(.pendingPiecesDropped(PendingPiecesDropped(pieces: leaving, by: origin)), secret: nil)]
    }
}
