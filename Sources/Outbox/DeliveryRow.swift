import SQLite
package import SessionDomain

/// Where a delivery stands, as stored.
package enum DeliveryStatus: Int, Sendable, CaseIterable {
    case waiting = 1
    case verified, rejected, parked, withdrawn

    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .verified: "verified"
        case .rejected: "rejected"
        case .parked: "parked"
        case .withdrawn: "withdrawn"
        }
    }
}

/// One delivery with the work done on it so far.
package struct DeliveryRow: Sendable {
    /// The position of the event that confirmed the capture.
    package let number: Int64
    package let id: DeliveryID
    package let sessionNumber: Int64
    package let session: SessionID
    package let capture: CaptureID
    package let pieceCode: Int
    package let destination: String
    package let status: DeliveryStatus
    /// What it waits for before it may be sent at all, such as a transaction.
    package let blocked: String?
    package let cause: String?
    package let attempts: Int
    package let claims: Int
    package let holder: String?
    package let nextAttemptAtMilliseconds: Int64?
    package let firstSentAtMilliseconds: Int64?
    package let isAccepted: Bool
    package let explanation: String?
    package let settledPosition: Int64?
    /// Earlier pieces of its session go first.
    package let isStrict: Bool
    /// Its place in the list of its session's pieces.
    package let ordinal: Int
    package let confirmedAtMilliseconds: Int64

    /// Reads the columns of `list_deliveries` and `deliveries_of_session`.
    init(_ row: Statement) {
        number = row.int64(0)
        id = DeliveryID(Self.uuid(row, 1))
        sessionNumber = row.int64(2)
        session = SessionID(Self.uuid(row, 3))
        capture = CaptureID(Self.uuid(row, 4))
        pieceCode = row.int(5)
        destination = row.text(6)
        status = DeliveryStatus(rawValue: row.int(7)) ?? .waiting
        blocked = row.optionalText(8)
        cause = row.optionalText(9)
        attempts = row.int(10)
        claims = row.int(11)
        holder = row.optionalText(12)
        nextAttemptAtMilliseconds = row.optionalInt64(13)
        firstSentAtMilliseconds = row.optionalInt64(14)
        isAccepted = row.int64(15) != 0
        explanation = row.optionalText(16)
        settledPosition = row.optionalInt64(17)
        isStrict = row.int64(18) != 0
        ordinal = row.int(19)
        confirmedAtMilliseconds = row.int64(20)
    }

    static func uuid(_ row: Statement, _ column: Int32) -> UUID128 {
        let words = row.words(column) ?? (0, 0)
        return UUID128(high: words.0, low: words.1)
    }
}

/// One request of a delivery, as kept in the append-only log.
package struct AttemptRow: Sendable, Equatable {
    package let number: Int
    package let fence: Int64
    package let destination: String
    package let kind: String
    package let startedAtMilliseconds: Int64
    package let finishedAtMilliseconds: Int64
    package let certainty: String
    package let curlCode: Int
    package let status: Int
    package let bytesSent: Int64
    package let bytesReceived: Int64
    package let explanation: String
    package let action: String
    package let retryAfterMilliseconds: Int64?
    package let nextAttemptAtMilliseconds: Int64?
    package let evidenceID: UUID128?
    package let evidenceDigest: [UInt8]?

    init(_ row: Statement) {
        number = row.int(1)
        fence = row.int64(2)
        destination = row.text(3)
        kind = row.text(4)
        startedAtMilliseconds = row.int64(5)
        finishedAtMilliseconds = row.int64(6)
        certainty = row.text(7)
        curlCode = row.int(8)
        status = row.int(9)
        bytesSent = row.int64(10)
        bytesReceived = row.int64(11)
        explanation = row.text(12)
        action = row.text(13)
        retryAfterMilliseconds = row.optionalInt64(14)
        nextAttemptAtMilliseconds = row.optionalInt64(15)
        evidenceID = row.words(17).map { UUID128(high: $0.0, low: $0.1) }
        evidenceDigest = row.optionalBlob(18)
    }
}
