package import SessionDomain

/// The typed columns of a stored event, beside its facts.
package struct EventColumns: Sendable {
    package var type: Int
    package var schemaVersion: Int
    package var piece: Int?
    package var captureID: UUID128?
    package var source: Int?
    package var outcome: Int?
    package var reason: String?
    package var durationMilliseconds: Int64?

    package init(
        type: Int, schemaVersion: Int, piece: Int?, captureID: UUID128?, source: Int?, outcome: Int?, reason: String?,
        durationMilliseconds: Int64?
    ) {
        self.type = type
        self.schemaVersion = schemaVersion
        self.piece = piece
        self.captureID = captureID
        self.source = source
        self.outcome = outcome
        self.reason = reason
        self.durationMilliseconds = durationMilliseconds
    }

    func encoded(_ facts: Span<UInt8>) -> EncodedEvent {
        EncodedEvent(
            type: type, schemaVersion: schemaVersion, piece: piece, captureID: captureID, source: source, outcome: outcome,
            reason: reason, durationMilliseconds: durationMilliseconds,
            facts: Self.text(facts))
    }

    private static func text(_ units: Span<UInt8>) -> String {
        guard let text = try? UTF8Span(validating: units) else { return "" }
        return String(copying: text)
    }
}

extension EventCoder {
    /// The event with everything that a projection looks at, and nothing else: digests, sizes and other things about media are blank.
    /// It costs a part of ``decode(_:frozen:)``, to which it leaves whatever it does not expect.
    ///
    /// - Parameters:
    ///   - facts: the canonical bytes.
    ///   - configuration: by the 64 digits of its digest.
    /// - Returns: nil for an unknown type or a newer schema version.
    /// - Throws: ``CodingFailure`` as `decode` does.
    package static func decodeForProjections(
        _ columns: EventColumns, _ facts: Span<UInt8>, configuration: (Span<UInt8>) -> FrozenConfiguration?
    ) throws(CodingFailure) -> SessionEvent? {
        if let event = lean(columns, facts, configuration) { return event }
        return try decode(columns.encoded(facts)) { digest in configuration(digest.utf8.span) }
    }

    private static func lean(
        _ columns: EventColumns, _ facts: Span<UInt8>, _ configuration: (Span<UInt8>) -> FrozenConfiguration?
    ) -> SessionEvent? {
        guard let type = EventType(rawValue: columns.type), columns.schemaVersion == type.schemaVersion else { return nil }
        switch type {
        case .sessionStarted: return started(facts, configuration)
        case .sessionCompleted:
            return columns.durationMilliseconds.map { .sessionCompleted(.init(durationMilliseconds: $0)) }
        case .sessionExpired:
            return columns.durationMilliseconds.map { .sessionExpired(.init(durationMilliseconds: $0)) }
        case .sessionCancelled:
            return columns.durationMilliseconds.map { .sessionCancelled(.init(durationMilliseconds: $0)) }
        case .pieceCaptured: return captured(columns, facts)
        case .pieceConfirmed: return confirmed(columns, facts)
        case .pieceVerified, .pieceRejected: return answered(columns, facts, isVerified: type == .pieceVerified)
        case .pieceChecked: return checked(columns, facts)
        case .pieceRetaken:
            guard let piece = columns.piece.flatMap({ Piece(code: $0) }), let capture = columns.captureID else { return nil }
            return .pieceRetaken(.init(piece: piece, captureID: CaptureID(capture)))
        default: return nil
        }
    }

    private static func started(
        _ facts: Span<UInt8>, _ configuration: (Span<UInt8>) -> FrozenConfiguration?
    ) -> SessionEvent? {
        var scan = FactsScan(facts)
        var frozen: FrozenConfiguration?
        var (startedAt, deadline): (Int64?, Int64?) = (nil, nil)
        var transaction: Digest256?
        while scan.next(facts) {
            let (start, end) = (scan.valueStart, scan.valueEnd)
            if scan.isKey(.configuration) {
                guard end - start == 66 else { return nil }
                frozen = configuration(facts.extracting(start + 1..<end - 1))
            } else if scan.isKey(.deadlineAtMilliseconds) {
                deadline = FactsScalar.integer(facts, start, end)
                if deadline == nil { return nil }
            } else if scan.isKey(.startedAtMilliseconds) {
                startedAt = FactsScalar.integer(facts, start, end)
            } else if scan.isKey(.transaction) {
                transaction = FactsScalar.digest(facts, start, end)
                if transaction == nil { return nil }
            }
        }
        guard !scan.isBroken, let frozen, let startedAt else { return nil }
        return .sessionStarted(
            SessionStarted(
                configuration: frozen, startedAtMilliseconds: startedAt, deadlineAtMilliseconds: deadline,
                transaction: transaction))
    }

    /// A flag is written only where it is true.
    static func isTrue(_ facts: Span<UInt8>, _ scan: FactsScan) -> Bool {
        scan.valueEnd - scan.valueStart == 4 && facts[scan.valueStart] == UInt8(ascii: "t")
    }

    private static let noDigest = Digest256(words: (0, 0, 0, 0))
    private static let noDelivery = DeliveryID(UUID128(high: 0, low: 0))
    private static let noMedia = MediaFacts(type: "", bytes: 0, width: 0, height: 0, orientation: 1, flags: [])

    private static func captured(_ columns: EventColumns, _ facts: Span<UInt8>) -> SessionEvent? {
        guard let piece = columns.piece.flatMap({ Piece(code: $0) }), let capture = columns.captureID,
            let source = columns.source.flatMap({ CaptureSource(code: $0) })
        else { return nil }
        var scan = FactsScan(facts)
        var (attempt, supersedes, confirms): (Int?, UUID128?, Bool) = (nil, nil, false)
        while scan.next(facts) {
            if scan.isKey(.attempt) {
                attempt = FactsScalar.int(facts, scan.valueStart, scan.valueEnd)
                if attempt == nil { return nil }
            } else if scan.isKey(.supersedes) {
                supersedes = FactsScalar.uuid(facts, scan.valueStart, scan.valueEnd)
                if supersedes == nil { return nil }
            } else if scan.isKey(.confirmsAfterChecks) {
                guard isTrue(facts, scan) else { return nil }
                confirms = true
            }
        }
        if scan.isBroken { return nil }
        return .pieceCaptured(
            PieceCaptured(
                piece: piece, captureID: CaptureID(capture), source: source, attempt: attempt, media: noMedia,
                commitment: noDigest, sealedDigest: noDigest, sealedBytes: 0, rotation: nil, measurements: [], fields: nil,
                confirmsAfterChecks: confirms, supersedes: supersedes.map { CaptureID($0) }))
    }

    private static func confirmed(_ columns: EventColumns, _ facts: Span<UInt8>) -> SessionEvent? {
        guard let piece = columns.piece.flatMap({ Piece(code: $0) }), let capture = columns.captureID else { return nil }
        var scan = FactsScan(facts)
        var (destination, at): (String?, Int64?) = (nil, nil)
        while scan.next(facts) {
            if scan.isKey(.destination) {
                destination = FactsScalar.string(facts, scan.valueStart, scan.valueEnd)
            } else if scan.isKey(.atMilliseconds) {
                at = FactsScalar.integer(facts, scan.valueStart, scan.valueEnd)
            }
        }
        guard !scan.isBroken, let destination, let at else { return nil }
        return .pieceConfirmed(
            PieceConfirmed(
                piece: piece, captureID: CaptureID(capture), destination: destination, confirmedAtMilliseconds: at))
    }

    private static func answered(_ columns: EventColumns, _ facts: Span<UInt8>, isVerified: Bool) -> SessionEvent? {
        guard let piece = columns.piece.flatMap({ Piece(code: $0) }), let capture = columns.captureID.map({ CaptureID($0) })
        else { return nil }
        var scan = FactsScan(facts)
        var (attempts, destination, hasDelivery): (Int?, String?, Bool) = (nil, nil, false)
        var (score, isLate): (Double?, Bool) = (nil, false)
        while scan.next(facts) {
            let (start, end) = (scan.valueStart, scan.valueEnd)
            if scan.isKey(.attempts) {
                attempts = FactsScalar.int(facts, start, end)
            } else if scan.isKey(.delivery) {
                hasDelivery = end - start == 38
            } else if scan.isKey(.destination) {
                destination = FactsScalar.string(facts, start, end)
            } else if scan.isKey(.late) {
                guard isTrue(facts, scan) else { return nil }
                isLate = true
            } else if scan.isKey(.score) {
                score = FactsScalar.double(facts, start, end)
                if score == nil { return nil }
            }
        }
        guard !scan.isBroken, let attempts, let destination, hasDelivery else { return nil }
        if isVerified {
            return .pieceVerified(
                PieceVerified(
                    piece: piece, captureID: capture, deliveryID: noDelivery, destination: destination, evidence: nil,
                    attempts: attempts, score: score, durationMilliseconds: columns.durationMilliseconds, late: isLate))
        }
        guard let reason = columns.reason else { return nil }
        return .pieceRejected(
            PieceRejected(
                piece: piece, captureID: capture, deliveryID: noDelivery, destination: destination, evidence: nil,
                attempts: attempts, score: score, failure: CaptureFailure(rawValue: reason),
                durationMilliseconds: columns.durationMilliseconds, late: isLate))
    }
}
