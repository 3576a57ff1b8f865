// What backup, restore and doctor run.

extension SchemaFiles {
    package static var evidenceAfter: [UInt8] { PackageResources.evidence_after_sql }
    package static var quickCheck: [UInt8] { PackageResources.quick_check_sql }
    package static var sessionByKey: [UInt8] { PackageResources.session_by_key_sql }
}
