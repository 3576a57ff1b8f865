import Dispatch
public import FoundationEssentials
import SessionDomain

extension Ledger {
    /// Opens a ledger for a host, which may keep it open for as long as it runs.
    ///
    /// - Throws: `no_such_ledger` (``create(at:masterKeyFile:)`` makes one), `permission_denied`, `needs_newer_version`, `needs_migration`,
    ///   `wrong_master_key`, and what the settings refuse.
    public static func open(at folder: URL, options: LedgerOptions = .init()) async throws(LedgerError) -> Ledger {
        let (path, options) = (folder.path, options)
        return try await WorkLanes("capture-ledger.open", width: 1).run { () throws(LedgerError) in
            var options = options
            if options.environment.isEmpty { options.environment = ProcessInfo.processInfo.environment }
            let ledger = try open(folder: path, options: options)
            try ledger.hosting.begin(ledger, options)
            return ledger
        }
    }

    /// Makes an empty ledger, as `capture-ledger init` does: a new master key in the user's configuration folder unless one is named.
    ///
    /// - Throws: `ledger_exists`, `folder_not_empty`, what the file system refuses.
    public static func create(at folder: URL, masterKeyFile: URL? = nil) async throws(LedgerError) {
        let (path, keyPath) = (folder.path, masterKeyFile?.path)
        try await WorkLanes("capture-ledger.create", width: 1).run { () throws(LedgerError) in
            let environment = ProcessInfo.processInfo.environment
            let configuration = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "/root") + "/.config"
            var options = CreateOptions(configurationFolder: configuration)
            if let keyPath { options.masterKey = .file(keyPath) }
            _ = try create(folder: path, options: options)
        }
    }

    /// The flow of a session that this ledger holds, to look at it or to go on with it. Callbacks and a verifier are given to
    /// ``CaptureFactory/makeFlow(in:configuration:clientKey:transactionID:verifier:callbacks:)``.
    ///
    /// - Throws: `no_such_session`.
    public func flow(_ sessionID: String) async throws(LedgerError) -> CaptureFlow {
        guard let id = SessionID(sessionID) else { throw .noSession() }
        if let watched = hosting.flow(id) { return watched }
        let flow = CaptureFlow(id, of: self)
        try await hosting.work.run { [self] () throws(LedgerError) in
            _ = try snapshot(of: id)
            try hosting.feed.start(self)
        }
        return flow
    }

    /// Finishes what was begun, then closes. Later calls are refused as `ledger_closed`; streams of states end. A host's code that is
    /// being called is not waited for.
    public func close() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue(label: "capture-ledger.close").async {
                self.closeAndWait()
                continuation.resume()
            }
        }
    }
}
