// What Audit runs beside the statements of EventStorage.

extension SchemaFiles {
    package static var attemptsOfCapture: [UInt8] { PackageResources.attempts_of_capture_sql }
    package static var eventsByVersion: [UInt8] { PackageResources.events_by_version_sql }
    package static var evidenceOfAttempts: [UInt8] { PackageResources.evidence_of_attempts_sql }
    package static var integrityCheck: [UInt8] { PackageResources.integrity_check_sql }
    package static var lastEvent: [UInt8] { PackageResources.last_event_sql }
    package static var listCosignatures: [UInt8] { PackageResources.list_cosignatures_sql }
    package static var listCheckpoints: [UInt8] { PackageResources.list_checkpoints_sql }
    package static var listSchema: [UInt8] { PackageResources.list_schema_sql }
    package static var listTiles: [UInt8] { PackageResources.list_tiles_sql }
    package static var misledSessions: [UInt8] { PackageResources.misled_sessions_sql }
}
