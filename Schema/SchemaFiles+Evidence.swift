// What an export of evidence and a bundle for support read.

extension SchemaFiles {
    package static var attemptsByClass: [UInt8] { PackageResources.attempts_by_class_sql }
    package static var eventsByKind: [UInt8] { PackageResources.events_by_kind_sql }
    package static var ledgerEventsNaming: [UInt8] { PackageResources.ledger_events_naming_sql }
}
