public import FoundationEssentials
public import SessionDomain

/// One capture: what a verifier looks at and a completion hands over.
public struct CaptureResult: Sendable {
    public let sessionID: String
    /// Stays the same for ever: the idempotency key of whatever a host does with the capture.
    public let captureID: String
    public let piece: Piece
    public let source: CaptureSource
    /// 1, 2, 3 … for the piece.
    public let attempt: Int
    /// Where the fields of a passport page lie, once something measured them.
    public let fieldDetections: FieldDetections?
    let ledger: Ledger
    let session: SessionID
    let capture: CaptureID

    init(
        ledger: Ledger, session: SessionID, capture: CaptureID, piece: Piece, source: CaptureSource, attempt: Int,
        fieldDetections: FieldDetections?
    ) {
        self.ledger = ledger
        self.session = session
        self.capture = capture
        sessionID = session.text
        captureID = capture.text
        self.piece = piece
        self.source = source
        self.attempt = attempt
        self.fieldDetections = fieldDetections
    }

    /// - Parameter fields: what the checks measured; nil: what the client said counts.
    init(_ captured: PieceCaptured, fields: FieldDetections?, in session: SessionID, of ledger: Ledger) {
        self.init(
            ledger: ledger, session: session, capture: captured.captureID, piece: captured.piece, source: captured.source,
            attempt: captured.attempt ?? 1, fieldDetections: fields ?? captured.fields)
    }

    /// The original, byte for byte. That it was opened is recorded in the ledger's `access.jsonl` first.
    ///
    /// - Throws: `media_gone` after it was destroyed (a hologram's video is, once its answer is recorded), `session_erased`,
    ///   `media_too_large` above 256 MiB: read ``mediaChunks(of:)`` then.
    public func media() async throws(LedgerError) -> Data {
        let (ledger, session, capture) = (ledger, session, capture)
        return try await ledger.hosting.work.run { () throws(LedgerError) in
            let opened = try ledger.openMedia(capture, of: session)
            guard opened.byteCount <= 256 << 20 else {
                throw LedgerError(
                    code: .init(rawValue: "media_too_large"), message: "This original is too large for one piece of memory.",
                    remedy: "Read it in chunks.")
            }
            var data = Data(capacity: Int(opened.byteCount))
            while Int64(data.count) < opened.byteCount {
                let chunk = try opened.read(at: Int64(data.count), limit: 1 << 20)
                if chunk.isEmpty { break }
                data.append(contentsOf: chunk)
            }
            return data
        }
    }

    /// The original in chunks of at most `size` bytes; memory does not grow with the file.
    public func mediaChunks(of size: Int = 256 << 10) -> MediaChunks { MediaChunks(result: self, size: max(1, size)) }
}
