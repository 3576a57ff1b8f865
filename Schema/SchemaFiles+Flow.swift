// What Projections runs.

extension SchemaFiles {
    package static var expiredFlows: [UInt8] { PackageResources.expired_flows_sql }
    package static var findFlow: [UInt8] { PackageResources.find_flow_sql }
    package static var listFlows: [UInt8] { PackageResources.list_flows_sql }
    package static var openSessions: [UInt8] { PackageResources.open_sessions_sql }
    package static var statusCounts: [UInt8] { PackageResources.status_counts_sql }
    package static var uncheckedSessions: [UInt8] { PackageResources.unchecked_sessions_sql }
    package static var upsertFlow: [UInt8] { PackageResources.upsert_flow_sql }
}
