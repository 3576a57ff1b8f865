import SQLite
import SchemaFiles

/// The statements that write facts, prepared once a connection.
struct AnalyticsStatements {
    /// In the order of `AnalyticsRows.all`.
    let insertions: [Statement]
    let attempt: Statement
    /// Of the nine tables with rows of a session.
    let deletions: [Statement]
    let progress: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insertions = [
            try Statement(connection, SchemaFiles.analyticsInsertSession),
            try Statement(connection, SchemaFiles.analyticsInsertPiece),
            try Statement(connection, SchemaFiles.analyticsInsertCapture),
            try Statement(connection, SchemaFiles.analyticsInsertRefusal),
            try Statement(connection, SchemaFiles.analyticsInsertFinding),
            try Statement(connection, SchemaFiles.analyticsInsertGuidance),
            try Statement(connection, SchemaFiles.analyticsInsertRecording),
            try Statement(connection, SchemaFiles.analyticsInsertInteraction),
            try Statement(connection, SchemaFiles.analyticsInsertEarlierEnd),
        ]
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
