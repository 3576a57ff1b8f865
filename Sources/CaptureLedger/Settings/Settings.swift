package import Audit
package import MediaChecks
package import Vault

/// Everything that `capture-ledger.json5` can say, with every default filled in.
package struct Settings: Sendable {
    /// The file's name inside a ledger's folder.
    package static let fileName = "capture-ledger.json5"

    package var masterKey: MasterKeyReference?
    /// The one before, while a rotation is under way: keys that the new one does not open yet open with it.
    package var previousMasterKey: MasterKeyReference?
    /// Where erasures are remembered outside the ledger; a path in the ledger's folder when relative.
    package var tombstones: String?
    /// The Unix group that may use the ledger too; nil: its owner alone.
    package var group: String?
    package var media = MediaLimits.standard
    /// A capture that would leave less free space than this on the ledger's disk is refused as `storage_low`.
    package var storageReserveBytes: Int64 = 256 << 20
    package var policy = SessionPolicy()
    package var checks = CheckSettings()
    /// By name, sorted.
    package var destinations: [DestinationSettings] = []
    /// Where `analytics export` sends events over HTTP; nil: nowhere, unless an address is given.
    package var reporter: DestinationSettings?
    package var sync = SyncSettings()
    /// Who is sent every checkpoint.
    package var witness: DestinationSettings?
    /// What the witness's signatures are checked with; nil: they are kept as they come.
    package var witnessKey: CosignerKey?
    package var privacy = PrivacySettings()

    package init() {}

    package func destination(_ name: String) -> DestinationSettings? { destinations.first { $0.name == name } }
}

/// What a new session gets where its own configuration is silent.
package struct SessionPolicy: Sendable, Hashable {
    package enum Checks: String, Sendable, CaseIterable { case required, deferred, off }

    /// nil: required once a model runner is configured.
    package var checks: Checks?
    /// From its start; nil: a session never expires.
    package var deadlineMilliseconds: Int64?

    package init() {}
}

/// Where the master key is. The key itself is never in the settings.
package typealias MasterKeyReference = MasterKeySource
