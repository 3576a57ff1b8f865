package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Derives the delivery table from events alone, in their transaction.
package final class DeliveryProjection {
    private let insert: Statement
    private let settle: Statement
    private let requeue: Statement
    private let withdrawPiece: Statement
    private let withdrawSession: Statement
    private let unblock: Statement
    private let unblockChecked: Statement
    private let deliveryID: (SessionID, CaptureID, String) -> DeliveryID

    /// What a hologram waits for that has no transaction yet (S89).
    package static let waitsForTransaction = "transaction"
    /// What a capture waits for that was confirmed before it was checked.
    package static let waitsForChecks = "checks"
    /// Why a delivery was withdrawn whose capture failed its checks after it was confirmed.
    package static let failedChecks = "failed_checks"

    /// - Parameter deliveryID: the one derivation of a delivery's id, which is also its idempotency key.
    package init(
        _ connection: Connection, deliveryID: @escaping (SessionID, CaptureID, String) -> DeliveryID
    ) throws(StorageError) {
        self.deliveryID = deliveryID
        let prepared = try stored { () throws(SQLiteError) in
            [
                try Statement(connection, SchemaFiles.insertDelivery),
                try Statement(connection, SchemaFiles.settleDeliveryOfCapture),
                try Statement(connection, SchemaFiles.requeueDeliveryOfCapture),
                try Statement(connection, SchemaFiles.withdrawDeliveriesOfPiece),
                try Statement(connection, SchemaFiles.withdrawDeliveriesOfSession),
                try Statement(connection, SchemaFiles.unblockDeliveriesOfSession),
                try Statement(connection, SchemaFiles.unblockCheckedDelivery),
            ]
        }
        (insert, settle, requeue) = (prepared[0], prepared[1], prepared[2])
        (withdrawPiece, withdrawSession, unblock, unblockChecked) = (prepared[3], prepared[4], prepared[5], prepared[6])
    }

    /// - Parameter state: the session's state after the event.
    package func apply(
        _ event: SessionEvent, position: Int64, session: SessionID, number: Int64, state: SessionState
    ) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            switch event {
            case .pieceConfirmed(let event):
                try confirm(event, position: position, session: session, number: number, state: state)
            case .pieceCaptured(let event):
                guard event.supersedes != nil else { return }
                try withdraw(event.piece, number: number, position: position, cause: "superseded")
            case .pieceChecked(let event):
                try check(event, position: position, number: number, state: state)
            case .pieceRetaken(let event): try withdraw(event.piece, number: number, position: position, cause: "retaken")
            case .pieceVerified(let event):
                try settle(
                    event.captureID, number: number, .verified, position: position, late: event.late,
                    cause: event.late ? "late" : nil)
            case .pieceRejected(let event):
                try settle(
                    event.captureID, number: number, .rejected, position: position, late: event.late,
                    cause: event.failure.rawValue)
            case .pieceDeliveryParked(let event):
                try settle(event.captureID, number: number, .parked, position: position, late: event.late, cause: event.cause)
            case .pieceDeliveryRequeued(let event):
                requeue.bind(number, at: 1)
                requeue.bind(event.captureID.uuid.bytes, at: 2)
                try requeue.run()
            case .hologramTransactionBound:
                unblock.bind(number, at: 1)
                unblock.bind(Self.waitsForTransaction, at: 2)
                try unblock.run()
            case .sessionCancelled: try withdrawAll(number: number, position: position, cause: "cancelled")
            case .sessionExpired: try withdrawAll(number: number, position: position, cause: "expired")
            case .sessionErased: try withdrawAll(number: number, position: position, cause: "erased")
            case .sessionStarted, .sessionSuspended, .sessionResumed, .captureRefused, .pendingPiecesDropped,
                .hologramRecordingStarted, .hologramRecordingCancelled, .guidanceObserved, .interactionRecorded,
                .sessionCompleted, .sessionExited, .mediaPurged:
                break
            }
        }
    }

    private func confirm(
        _ event: PieceConfirmed, position: Int64, session: SessionID, number: Int64, state: SessionState
    ) throws(SQLiteError) {
        let waitsForChecks = state.configuration?.value.checks == .deferred && !state.pieces[event.piece].isChecked
        insert.bind(position, at: 1)
        insert.bind(deliveryID(session, event.captureID, event.destination).uuid.bytes, at: 2)
        insert.bind(number, at: 3)
        insert.bind(event.captureID.uuid.bytes, at: 4)
        insert.bind(event.piece.code, at: 5)
        insert.bind(state.order.firstIndex(of: event.piece) ?? 0, at: 6)
        insert.bind(event.destination, at: 7)
        insert.bind(state.configuration?.value.ordering == .strict ? 1 : 0, at: 8)
        insert.bind(waitsForChecks ? Self.waitsForChecks : Self.block(event.piece, state), at: 9)
        try insert.run()
    }

    /// What a capture still waits for that is checked, or need not be.
    private static func block(_ piece: Piece, _ state: SessionState) -> String? {
        piece == .hologram && state.transaction == nil ? waitsForTransaction : nil
    }

    /// A confirmed capture goes, or is taken back, when it is judged.
    private func check(
        _ event: PieceChecked, position: Int64, number: Int64, state: SessionState
    ) throws(SQLiteError) {
        guard !event.late else { return }
        if event.failure != nil {
            return try withdraw(event.piece, number: number, position: position, cause: Self.failedChecks)
        }
        unblockChecked.bind(number, at: 1)
        unblockChecked.bind(event.captureID.uuid.bytes, at: 2)
        unblockChecked.bind(Self.waitsForChecks, at: 3)
        unblockChecked.bind(Self.block(event.piece, state), at: 4)
        try unblockChecked.run()
    }

    private func settle(
        _ capture: CaptureID, number: Int64, _ status: DeliveryStatus, position: Int64, late: Bool, cause: String?
    ) throws(SQLiteError) {
        settle.bind(number, at: 1)
        settle.bind(capture.uuid.bytes, at: 2)
        settle.bind(status.rawValue, at: 3)
        settle.bind(position, at: 4)
        settle.bind(cause, at: 5)
        settle.bind(late ? 1 : 0, at: 6)
        try settle.run()
    }

    private func withdraw(_ piece: Piece, number: Int64, position: Int64, cause: String) throws(SQLiteError) {
        withdrawPiece.bind(number, at: 1)
        withdrawPiece.bind(piece.code, at: 2)
        withdrawPiece.bind(position, at: 3)
        withdrawPiece.bind(cause, at: 4)
        try withdrawPiece.run()
    }

    private func withdrawAll(number: Int64, position: Int64, cause: String) throws(SQLiteError) {
        withdrawSession.bind(number, at: 1)
        withdrawSession.bind(position, at: 2)
        withdrawSession.bind(cause, at: 3)
        try withdrawSession.run()
    }
}
