import SQLite
import SchemaFiles

/// The statements that write facts, prepared once a connection.
struct AnalyticsStatements {
    let session, earlierEnd, piece, capture, refusal, finding, guidance, recording, interaction, attempt: Statement
    /// Of the nine tables with rows of a session.
    let deletions: [Statement]
    let progress: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        session = try Statement(connection, SchemaFiles.analyticsInsertSession)
        earlierEnd = try Statement(connection, SchemaFiles.analyticsInsertEarlierEnd)
        piece = try Statement(connection, SchemaFiles.analyticsInsertPiece)
        capture = try Statement(connection, SchemaFiles.analyticsInsertCapture)
        refusal = try Statement(connection, SchemaFiles.analyticsInsertRefusal)
        finding = try Statement(connection, SchemaFiles.analyticsInsertFinding)
        guidance = try Statement(connection, SchemaFiles.analyticsInsertGuidance)
        recording = try Statement(connection, SchemaFiles.analyticsInsertRecording)
        interaction = try Statement(connection, SchemaFiles.analyticsInsertInteraction)
        attempt = try Statement(connection, SchemaFiles.analyticsInsertAttempt)
        deletions = [
            try Statement(connection, SchemaFiles.analyticsDeleteSession),
            try Statement(connection, SchemaFiles.analyticsDeleteEarlierEnd),
            try Statement(connection, SchemaFiles.analyticsDeletePiece),
            try Statement(connection, SchemaFiles.analyticsDeleteCapture),
            try Statement(connection, SchemaFiles.analyticsDeleteRefusal),
            try Statement(connection, SchemaFiles.analyticsDeleteFinding),
            try Statement(connection, SchemaFiles.analyticsDeleteGuidance),
            try Statement(connection, SchemaFiles.analyticsDeleteRecording),
            try Statement(connection, SchemaFiles.analyticsDeleteInteraction),
        ]
        progress = try Statement(connection, SchemaFiles.analyticsSetProgress)
    }
}
