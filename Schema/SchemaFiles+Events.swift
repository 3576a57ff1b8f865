// What EventStorage runs.

extension SchemaFiles {
    package static var appendCommit: [UInt8] { PackageResources.append_commit_sql }
    package static var appendEvent: [UInt8] { PackageResources.append_event_sql }
    package static var configureNewDatabase: [UInt8] { PackageResources.configure_new_database_sql }
    package static var configureReader: [UInt8] { PackageResources.configure_reader_sql }
    package static var configureWriter: [UInt8] { PackageResources.configure_writer_sql }
    package static var countCommits: [UInt8] { PackageResources.count_commits_sql }
    package static var createMigrationTable: [UInt8] { PackageResources.create_migration_table_sql }
    package static var deleteLookupsOfSession: [UInt8] { PackageResources.delete_lookups_of_session_sql }
    package static var deleteReceiptsOfSession: [UInt8] { PackageResources.delete_receipts_of_session_sql }
    package static var erasedSessions: [UInt8] { PackageResources.erased_sessions_sql }
    package static var eventsByPosition: [UInt8] { PackageResources.events_by_position_sql }
    package static var eventsOfSession: [UInt8] { PackageResources.events_of_session_sql }
    package static var findConfiguration: [UInt8] { PackageResources.find_configuration_sql }
    package static var findLookup: [UInt8] { PackageResources.find_lookup_sql }
    package static var findReceipt: [UInt8] { PackageResources.find_receipt_sql }
    package static var hasMigrationTable: [UInt8] { PackageResources.has_migration_table_sql }
    package static var insertCodeName: [UInt8] { PackageResources.insert_code_name_sql }
    package static var insertConfiguration: [UInt8] { PackageResources.insert_configuration_sql }
    package static var insertLedger: [UInt8] { PackageResources.insert_ledger_sql }
    package static var insertLookup: [UInt8] { PackageResources.insert_lookup_sql }
    package static var insertMigration: [UInt8] { PackageResources.insert_migration_sql }
    package static var insertReceipt: [UInt8] { PackageResources.insert_receipt_sql }
    package static var insertSession: [UInt8] { PackageResources.insert_session_sql }
    package static var lastCommit: [UInt8] { PackageResources.last_commit_sql }
    package static var lastKey: [UInt8] { PackageResources.last_key_sql }
    package static var lastSession: [UInt8] { PackageResources.last_session_sql }
    package static var lastVersion: [UInt8] { PackageResources.last_version_sql }
    package static var listCommits: [UInt8] { PackageResources.list_commits_sql }
    package static var listConfigurations: [UInt8] { PackageResources.list_configurations_sql }
    package static var listMigrations: [UInt8] { PackageResources.list_migrations_sql }
    package static var markKeyDestroyed: [UInt8] { PackageResources.mark_key_destroyed_sql }
    package static var markSwept: [UInt8] { PackageResources.mark_swept_sql }
    package static var readApplicationId: [UInt8] { PackageResources.read_application_id_sql }
    package static var readLedger: [UInt8] { PackageResources.read_ledger_sql }
    package static var sessionById: [UInt8] { PackageResources.session_by_id_sql }
    package static var sessionByNo: [UInt8] { PackageResources.session_by_no_sql }
    package static var setEpoch: [UInt8] { PackageResources.set_epoch_sql }
    package static var unfinishedErasures: [UInt8] { PackageResources.unfinished_erasures_sql }
    package static var upsertErasure: [UInt8] { PackageResources.upsert_erasure_sql }
}
