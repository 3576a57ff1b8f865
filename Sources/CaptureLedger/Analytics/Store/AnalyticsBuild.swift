import Dispatch
import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import Synchronization
import SystemCalls

/// analytics.sqlite being made beside the one in use. Until `swapIn` nobody sees it; without, it is removed.
final class AnalyticsBuild: Sendable {
    private let place: AnalyticsPlace
    private let ledger: Ledger
    private let log: AnalyticsStore.LogEnd
    private let load: AnalyticsLoad
    private let queue = DispatchQueue(label: "capture-ledger.analytics.build")
    private let requests = Mutex(RequestSums())
    private let failure = Mutex<LedgerError?>(nil)
    private let isStopped = Atomic(false)
    private let isInPlace = Atomic(false)

    /// Rows of the delivery log that are copied between two looks at whether anybody still wants them.
    private static let attemptsAtOnce: Int64 = 50_000

    /// The caller holds the lock of `place`.
    ///
    /// - Parameter log: how far the tables will be.
    init(_ place: AnalyticsPlace, _ ledger: Ledger, to log: AnalyticsStore.LogEnd) throws(LedgerError) {
        self.place = place
        self.ledger = ledger
        self.log = log
        do {
            load = try Self.makeFile(place)
        } catch {
            place.removeBeside()
            throw error
        }
    }

    private static func makeFile(_ place: AnalyticsPlace) throws(LedgerError) -> AnalyticsLoad {
        place.removeBeside()
        try called { () throws(SystemError) in
            let file = try FileDescriptor(opening: place.beside, .createNew, mode: place.access.fileMode)
            try place.access.apply(to: file, mode: place.access.fileMode)
        }
        return try translated { () throws(StorageError) in
            try AnalyticsWriter.makeTables(in: try connect(place, SchemaFiles.analyticsConfigureNew))
            return try AnalyticsLoad(path: place.beside)
        }
    }

    private static func connect(_ place: AnalyticsPlace, _ settings: [UInt8]...) throws(StorageError) -> Connection {
        try stored { () throws(SQLiteError) in
            let connection = try Connection(path: place.beside, mode: .write)
            for settings in settings + [SchemaFiles.analyticsConfigureBuild] { try connection.execute(settings) }
            return connection
        }
    }

    /// Adds the rows of the next sessions.
    func insert(_ page: ProjectionPage) throws(LedgerError) {
        try translated { () throws(StorageError) in
            try load.insert(page.analytics)
            if let sums = page.sums { try load.add(sums) }
        }
    }

    /// Every session was added: goes on on another thread. Requests are copied only now, while rows of the ledger change places, which
    /// takes one thread as long.
    func complete() {
        queue.async {
            self.step { () throws(LedgerError) in try self.copyAttempts() }
            self.step { () throws(LedgerError) in try self.writeRest() }
        }
    }

    /// Puts what was built into the old file's place, when it is complete: who has that one open goes on reading it.
    func swapIn() throws(LedgerError) {
        queue.sync {}
        if let failure = failure.withLock({ $0 }) { throw failure }
        try place.swapIn()
        isInPlace.store(true, ordering: .releasing)
    }

    /// Waits until nothing more happens, and removes what did not take its place.
    func end() {
        isStopped.store(true, ordering: .releasing)
        queue.sync {}
        if !isInPlace.load(ordering: .acquiring) { place.removeBeside() }
    }

    /// After a failure nothing more is done.
    private func step(_ body: () throws(LedgerError) -> Void) {
        guard failure.withLock({ $0 == nil }), !isStopped.load(ordering: .acquiring) else { return }
        do throws(LedgerError) { try body() } catch { failure.withLock { $0 = error } }
    }

    private func copyAttempts() throws(LedgerError) {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let attempts = AttemptRows()
                let rows = try stored { () throws(SQLiteError) in
                    try Statement(context.connection, SchemaFiles.attemptsAfter)
                }
                var copied: Int64 = 0
                while copied < log.attempt, !isStopped.load(ordering: .acquiring) {
                    let last = min(log.attempt, copied + Self.attemptsAtOnce)
                    rows.bind(copied, at: 1)
                    rows.bind(last, at: 2)
                    try attempts.read(rows) { (page) throws(SQLiteError) in try load.insertAttempts(page) }
                    copied = last
                }
                requests.withLock { $0 = attempts.requests }
            }
        }
    }

    private func writeRest() throws(LedgerError) {
        try translated { () throws(StorageError) in
            let late = try load.finish()
            let writer = try AnalyticsWriter(try Self.connect(place))
            try writer.begin()
            writer.add(late)
            writer.add(requests.withLock { $0 })
            try writer.commit(
                AnalyticsProgress(
                    ledgerID: ledger.ledgerID, epoch: ledger.epoch, position: log.position,
                    recordedAtMilliseconds: log.recordedAtMilliseconds, attemptNumber: log.attempt))
        }
        try called { () throws(SystemError) in try FileDescriptor(opening: place.beside, .write).synchronize() }
    }
}

extension AnalyticsWriter {
    /// Copies rows of the delivery log.
    ///
    /// - Parameter reader: of the ledger.
    func takeAttempts(after first: Int64, through last: Int64, _ reader: Connection) throws(StorageError) {
        guard last > first else { return }
        let rows = try stored { () throws(SQLiteError) in try Statement(reader, SchemaFiles.attemptsAfter) }
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        try insertAttempts(rows)
    }
}
