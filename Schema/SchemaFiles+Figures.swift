// What the figures of a ledger are made of.

extension SchemaFiles {
    package static var countAttempts: [UInt8] { PackageResources.count_attempts_sql }
    package static var parkedByCause: [UInt8] { PackageResources.parked_by_cause_sql }
    package static var pausedSessions: [UInt8] { PackageResources.paused_sessions_sql }
    package static var waitingByDestination: [UInt8] { PackageResources.waiting_by_destination_sql }
}
