public import CaptureLedger
public import FoundationEssentials
import Synchronization

/// A real ledger in a temporary folder, with a clock that the test turns: the same files, locks and durability as in production, and
/// gone with the object.
///
/// Nothing is shared between two of them, so tests may run side by side.
public final class TestLedger: Sendable {
    /// Holds the ledger, its master key and the samples that were written.
    public let folder: URL
    public let clock: VirtualClock
    private let options: LedgerOptions
    private let opened: Mutex<Ledger>
    private let samples = Mutex(0)

    /// The ledger as it is opened now: another one after ``restart()``.
    public var ledger: Ledger { opened.withLock { $0 } }
    public var path: URL { folder.appending(path: "my.ledger") }

    /// - Parameters:
    ///   - clock: shared by tests that compare two ledgers.
    ///   - checks: what the checks say; with them new sessions require checks unless they say otherwise.
    ///   - options: as for `Ledger.open(at:options:)`; its log goes to standard error.
    ///   - parent: where the temporary folder is made.
    public init(
        clock: VirtualClock = VirtualClock(), checks: ScriptedChecks? = nil, options: LedgerOptions = LedgerOptions(),
        in parent: URL = FileManager.default.temporaryDirectory
    ) async throws(LedgerError) {
        let folder = parent.appending(path: "capture-ledger-" + UUID().uuidString)
        var options = options
        options.clock = clock.store
        options.judge = checks
        // The process's own addresses have no business in a test.
        options.environment = ["CAPTURE_LEDGER_TESTING": "1"]
        let path = folder.appending(path: "my.ledger")
        do throws(LedgerError) {
            try await Self.create(path, configuration: folder.appending(path: "config"), clock: options.clock)
            opened = Mutex(try await Ledger.open(at: path, options: options))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.folder = folder
        self.clock = clock
        self.options = options
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// As after the end of the process: the ledger is closed and opened again. Flows made before belong to the old one.
    @discardableResult
    public func restart() async throws(LedgerError) -> Ledger {
        await ledger.close()
        let again = try await Ledger.open(at: path, options: options)
        opened.withLock { $0 = again }
        return again
    }

    public func close() async { await ledger.close() }

    /// A picture or video that the ledger takes in for that piece; every call gives another one, since the same picture is refused
    /// after it was rejected once.
    public func sample(for piece: Piece) throws -> URL {
        let number = samples.withLock { count in
            count += 1
            return count
        }
        let (bytes, ending) = piece == .hologram ? (SampleMedia.video(number), "mp4") : (SampleMedia.picture(number), "png")
        let file = folder.appending(path: "sample-\(number).\(ending)")
        try Data(bytes).write(to: file)
        return file
    }

    private static func create(_ path: URL, configuration: URL, clock: LedgerClock) async throws(LedgerError) {
        var options = CreateOptions(configurationFolder: configuration.path)
        options.clock = clock
        let chosen = options
        let result = await Task.detached { () -> Result<Void, LedgerError> in
            do throws(LedgerError) {
                _ = try Ledger.create(folder: path.path, options: chosen)
                return .success(())
            } catch { return .failure(error) }
        }.value
        try result.get()
    }
}
