public import SessionDomain

extension CaptureFlow {
    /// Records what a live scan told the user (S65): what its action `guide` names. The same hint again within a second
    /// is left out.
    ///
    /// - Parameters:
    ///   - hint: what the user was told.
    ///   - piece: the one that is being scanned.
    /// - Throws: the flow's refusals, such as `unknown_piece`.
    public func record(_ hint: LiveScanHint, on piece: Piece) async throws(LedgerError) {
        _ = try await observe([.liveScan(hint, piece: piece)])
    }
}
