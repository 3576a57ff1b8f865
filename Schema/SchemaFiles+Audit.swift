// What Audit runs beside the statements of EventStorage.

extension SchemaFiles {
    package static var brokenVersions: [UInt8] { PackageResources.broken_versions_sql }
    package static var eventsOutOfOrder: [UInt8] { PackageResources.events_out_of_order_sql }
    package static var lastEvent: [UInt8] { PackageResources.last_event_sql }
}
