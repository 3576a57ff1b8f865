import Cryptography
import EventStorage
package import SessionDomain
import SystemCalls
package import Vault

/// One ledger: a folder with its events, media and keys. It may be used from any thread.
public final class Ledger: Sendable {
    package let files: LedgerFiles
    package let settings: Settings
    package let clock: LedgerClock
    /// nil where this user cannot read the master key: everything but private halves and media can still be read.
    package let vault: Vault?
    /// Why there is none.
    let vaultProblem: LedgerError?
    let lock: WriterLock
    let commits: GroupCommit?
    let reads: ReadDesk
    let identity: EventDatabase.Identity
    let hosting = Hosting()
    let checks: CheckDesk

    package var ledgerID: UUID128 { identity.ledgerID }
    package var epoch: UUID128 { identity.epoch }

    private init(
        files: LedgerFiles, settings: Settings, clock: LedgerClock, vault: Vault?,
        vaultProblem: LedgerError?, lock: WriterLock, commits: GroupCommit?,
        reads: ReadDesk, identity: EventDatabase.Identity, checks: CheckDesk
    ) {
        self.files = files
        self.settings = settings
        self.clock = clock
        self.vault = vault
        self.vaultProblem = vaultProblem
        self.lock = lock
        self.commits = commits
        self.reads = reads
        self.identity = identity
        self.checks = checks
    }

    /// Opens a ledger from a thread that may block.
    ///
    /// - Throws: `no_such_ledger`, `permission_denied`, `needs_newer_version`, `needs_migration`, `wrong_master_key`, and what the settings refuse.
    package static func open(folder: String, options: LedgerOptions = LedgerOptions()) throws(LedgerError) -> Ledger {
        let files = LedgerFiles(folder: folder)
        guard try isThere(files.database) else {
            throw LedgerError(
                code: .init(rawValue: "no_such_ledger"), message: "There is no ledger in \(folder).",
                remedy: "Make one with `capture-ledger init \(folder)`, or name another folder with --ledger.")
        }
        let settings = try Self.settings(of: files, environment: options.environment)
        let reads = ReadDesk(files: files)
        let access = try called { () throws(SystemError) in try FileAccess.matching(folder: folder) }
        let lock = WriterLock(turnPath: files.turn, writerPath: files.writer, access: access)
        try migrateIfAsked(files, lock, options)
        let identity = try reads.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try EventDatabase.identity(context.connection) }
        }
        let vault: Vault?
        var vaultProblem: LedgerError?
        do throws(LedgerError) {
            vault = try openVault(files, settings, access, isReadOnly: options.isReadOnly)
        } catch {
            guard options.isReadOnly else { throw error }
            vault = nil
            vaultProblem = error
        }
        var commits: GroupCommit?
        if !options.isReadOnly, let vault {
            commits = GroupCommit(WriterDesk(files: files, lock: lock, vault: vault, clock: options.clock))
        }
        let ledger = Ledger(
            files: files, settings: settings, clock: options.clock, vault: vault, vaultProblem: vaultProblem, lock: lock,
            commits: commits, reads: reads,
            identity: identity, checks: CheckDesk(options, settings, files))
        if commits != nil { try ledger.finishWhatWasBegun(options) }
        return ledger
    }

    /// A folder that may not be entered is not one without a ledger.
    private static func isThere(_ database: String) throws(LedgerError) -> Bool {
        do throws(SystemError) { return try FileStatus.of(database) != nil } catch {
            guard error.code == .permissionDenied else { return false }
            throw LedgerError(error)
        }
    }

    package static func settings(of files: LedgerFiles, environment: [String: String]) throws(LedgerError) -> Settings {
        let text = try called { () throws(SystemError) in
            try FileDescriptor(opening: files.settings, .read).readToEnd(limit: 1 << 20)
        }
        do { return try Settings(text, environment: environment) } catch { throw LedgerError(error) }
    }

    private static func migrateIfAsked(
        _ files: LedgerFiles, _ lock: WriterLock, _ options: LedgerOptions
    ) throws(LedgerError) {
        let pending = try pendingMigrations(files, writing: !options.isReadOnly)
        guard !pending.isEmpty else { return }
        guard options.migrate == .whenOpened, !options.isReadOnly else {
            throw LedgerError(
                code: .init(rawValue: "needs_migration"),
                message:
                    "This ledger's schema is older than this version's: \(pending.joined(separator: ", ")) would change it.",
                remedy: "Make a backup, look at `capture-ledger migrate --dry-run`, then run `capture-ledger migrate`.")
        }
        try migrate(files, lock, nowMilliseconds: options.clock.nowMilliseconds())
    }

    /// Finishes what was begun, then closes. Later calls are refused as `ledger_closed`.
    package func closeAndWait() {
        hosting.stop()
        checks.close()
        commits?.close()
        reads.close()
    }

    var writer: GroupCommit {
        get throws(LedgerError) {
            guard let commits else {
                throw LedgerError(
                    code: .init(rawValue: "read_only"), message: "This ledger was opened for reading.",
                    remedy: "Open it as its owner or a member of its group to write.")
            }
            return commits
        }
    }

    /// The keys, for what cannot be done without them; what kept them from being opened where they are not.
    package var keys: Vault {
        get throws(LedgerError) {
            if let vault { return vault }
            throw vaultProblem
                ?? LedgerError(
                    code: .init(rawValue: "master_key_missing"),
                    message: "Without the master key nothing private can be opened.",
                    remedy: "Run as a user who may read the master key that the settings name.")
        }
    }

    /// Runs a read on a connection of its own.
    package func read<Value>(_ body: (ReadContext) throws(LedgerError) -> Value) throws(LedgerError) -> Value {
        try reads.read(body)
    }
}
