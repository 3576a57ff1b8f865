// What Vault runs on keys.sqlite.

extension SchemaFiles {
    package static var keysAfter: [UInt8] { PackageResources.keys_after_sql }
    package static var keysConfigure: [UInt8] { PackageResources.keys_configure_sql }
    package static var keysDataVersion: [UInt8] { PackageResources.keys_data_version_sql }
    package static var keysDestroy: [UInt8] { PackageResources.keys_destroy_sql }
    package static var keysFind: [UInt8] { PackageResources.keys_find_sql }
    package static var keysFindLedgerKey: [UInt8] { PackageResources.keys_find_ledger_key_sql }
    package static var keysInsert: [UInt8] { PackageResources.keys_insert_sql }
    package static var keysInsertLedgerKey: [UInt8] { PackageResources.keys_insert_ledger_key_sql }
    package static var keysLast: [UInt8] { PackageResources.keys_last_sql }
    package static var keysSchema: [UInt8] { PackageResources.keys_schema_sql }
    package static var keysVersion: [UInt8] { PackageResources.keys_version_sql }
    package static var keysRetire: [UInt8] { PackageResources.keys_retire_sql }
}
