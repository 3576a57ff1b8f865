/// The paths inside a ledger's folder; `docs/storage-format.md` lists them.
package struct LedgerFiles: Sendable {
    package let folder: String

    package init(folder: String) { self.folder = folder }

    package var settings: String { folder + "/" + Settings.fileName }
    package var database: String { folder + "/ledger.sqlite" }
    package var log: String { folder + "/ledger.sqlite-wal" }
    package var keys: String { folder + "/keys" }
    /// A sealed note that originals of imported events lie elsewhere.
    package var elsewhere: String { folder + "/elsewhere.sealed" }
    package var turn: String { folder + "/lock.turn" }
    package var writer: String { folder + "/lock.writer" }
    /// The locks of living workers.
    package var workers: String { folder + "/workers" }
    package var sync: String { folder + "/lock.sync" }
    /// The disposable tables for reports, and who makes or changes them.
    package var analytics: String { folder + "/analytics.sqlite" }
    package var analyticsLock: String { folder + "/lock.analytics" }
    /// What readers that go on after a restart have read, and what a host was told.
    package var followers: String { folder + "/followers" }
}
