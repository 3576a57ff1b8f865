// What an export of evidence reads.

extension SchemaFiles {
    package static var ledgerEventsNaming: [UInt8] { PackageResources.ledger_events_naming_sql }
}
