// What replay runs.

extension SchemaFiles {
    package static var recordedAt: [UInt8] { PackageResources.recorded_at_sql }
    package static var replayEvents: [UInt8] { PackageResources.replay_events_sql }
    package static var replayEventsOfSession: [UInt8] { PackageResources.replay_events_of_session_sql }
}
