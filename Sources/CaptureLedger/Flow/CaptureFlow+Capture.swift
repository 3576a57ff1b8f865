public import FoundationEssentials
public import SessionDomain

extension CaptureFlow {
    /// Takes a picture, document or video in: sealed and durable before it is looked at, and checked when it returns where the session
    /// requires checks. One that fails them is refused with the failure, and its piece must be captured again.
    ///
    /// - Parameters:
    ///   - piece: the current one, or a later one while earlier ones wait for their verification.
    ///   - file: read once; memory does not grow with it.
    ///   - source: anything but the camera needs `allowUploadFromDevice`.
    ///   - consumingFile: unlinks `file` once the capture's event is durable, also when the capture was refused; nil: only a
    ///     hologram's video (S88). A command that throws leaves the file alone.
    ///   - commandID: the same id with the same file gives the first receipt again.
    /// - Throws: `no_such_file`, `storage_low` (retryable), the flow's refusals such as `not_current_piece`.
    public func capture(
        _ piece: Piece, file: URL, source: CaptureSource, consumingFile: Bool? = nil, commandID: String? = nil
    ) async throws(LedgerError) -> CaptureReceipt {
        try await capture(piece, file: file, source: source, consumingFile: consumingFile, rotation: nil, commandID: commandID)
    }

    func capture(
        _ piece: Piece, file: URL, source: CaptureSource, consumingFile: Bool?, rotation: Int?, commandID: String?
    ) async throws(LedgerError) -> CaptureReceipt {
        var request = CaptureRequest(session: session, piece: piece, path: file.path, source: source)
        request.consumesFile = consumingFile ?? (piece == .hologram)
        request.rotation = rotation
        request.options.commandID = try Self.id(commandID)
        let (ledger, asked) = (ledger, request)
        let done = try await ledger.hosting.work.run { () throws(LedgerError) in try ledger.capture(asked) }
        announce()
        switch done.outcome {
        case .refused(let failure, _, _, _):
            return CaptureReceipt(outcome: .refused(failure), positions: done.receipt.positions)
        case .captured(let id, let attempt):
            if let failure = done.check?.failure {
                return CaptureReceipt(outcome: .refused(failure), positions: done.receipt.positions)
            }
            let result = CaptureResult(
                ledger: ledger, session: session, capture: id, piece: piece, source: source, attempt: attempt,
                fieldDetections: done.check?.fields)
            return CaptureReceipt(outcome: .captured(result), positions: done.receipt.positions)
        }
    }
}
