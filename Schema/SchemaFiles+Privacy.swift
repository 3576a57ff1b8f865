// What erasures, retention and the rotation of keys run.

extension SchemaFiles {
    package static var countTracesOfSession: [UInt8] { PackageResources.count_traces_of_session_sql }
    package static var deleteErasureRequest: [UInt8] { PackageResources.delete_erasure_request_sql }
    package static var deleteMediaDestruction: [UInt8] { PackageResources.delete_media_destruction_sql }
    package static var erasureRequests: [UInt8] { PackageResources.erasure_requests_sql }
    package static var findErasure: [UInt8] { PackageResources.find_erasure_sql }
    package static var findRetentionCursor: [UInt8] { PackageResources.find_retention_cursor_sql }
    package static var hasErasureRequests: [UInt8] { PackageResources.has_erasure_requests_sql }
    package static var insertErasureRequest: [UInt8] { PackageResources.insert_erasure_request_sql }
    package static var insertMediaDestruction: [UInt8] { PackageResources.insert_media_destruction_sql }
    package static var listMediaDestructions: [UInt8] { PackageResources.list_media_destructions_sql }
    package static var moveErasureRequests: [UInt8] { PackageResources.move_erasure_requests_sql }
    package static var postponeErasureRequests: [UInt8] { PackageResources.postpone_erasure_requests_sql }
    package static var retentionCandidates: [UInt8] { PackageResources.retention_candidates_sql }
    package static var setRetentionCursor: [UInt8] { PackageResources.set_retention_cursor_sql }

    package static var keysGuardText: [UInt8] { PackageResources.keys_guard_text_sql }
    package static var keysLiftGuard: [UInt8] { PackageResources.keys_lift_guard_sql }
    package static var keysListLedgerKeys: [UInt8] { PackageResources.keys_list_ledger_keys_sql }
    package static var keysRewrap: [UInt8] { PackageResources.keys_rewrap_sql }
    package static var keysRewrapLedgerKey: [UInt8] { PackageResources.keys_rewrap_ledger_key_sql }
    package static var keysUsableAfter: [UInt8] { PackageResources.keys_usable_after_sql }
}
