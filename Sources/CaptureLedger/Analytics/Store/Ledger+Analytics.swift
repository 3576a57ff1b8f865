import EventStorage
package import Projections
package import SQLite
import SchemaFiles
import SystemCalls

/// What a report may use: one state of analytics.sqlite, whatever becomes of the file meanwhile.
package struct AnalyticsContext {
    package let connection: Connection
    /// Up to where its tables are.
    package let progress: AnalyticsProgress
    /// What was done to bring it there.
    package let update: AnalyticsUpdate?
}

extension Ledger {
    /// Brings analytics.sqlite up to the newest event, or makes it where there is none that can be used.
    ///
    /// - Parameter waits: for another process that is doing the same.
    /// - Returns: nil when another one is at it and was not waited for.
    /// - Throws: `analytics_in_use`, what the disk refuses. The file is as it was after a page of events then.
    @discardableResult
    package func catchUpAnalytics(waits: Bool = true) throws(LedgerError) -> AnalyticsUpdate? {
        try AnalyticsStore(self, try AnalyticsPlace(files), waits: waits)?.catchUp()
    }

    /// Brings analytics.sqlite up to date where there is one that can be brought there quickly: what a worker does when it is done. The
    /// first report makes the file; whoever asks for none pays for none.
    ///
    /// - Returns: nil when nothing was done.
    package func keepAnalytics() throws(LedgerError) -> AnalyticsUpdate? {
        let path = files.analytics
        guard try called({ () throws(SystemError) in try FileStatus.of(path) }) != nil,
            let store = try AnalyticsStore(self, try AnalyticsPlace(files), waits: false),
            case .done(let update) = try store.tryToCatchUp()
        else { return nil }
        return update
    }

    /// Runs a report over tables that are up to date. Who may not write the ledger's folder gets them made in a temporary one.
    package func readAnalytics<Value>(
        _ body: (AnalyticsContext) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        if FileSystem.isWritable(files.folder) {
            return try read(try AnalyticsPlace(files), body)
        }
        let folder = try called { () throws(SystemError) in try FileSystem.makeTemporaryFolder() }
        let place = AnalyticsPlace(folder: folder)
        defer {
            for path in [place.file, place.lock] { _ = try? FileSystem.remove(path) }
            _ = try? FileSystem.removeFolder(folder)
        }
        // what is there already need not be made again
        if (try? FileStatus.of(files.analytics)) ?? nil != nil { try? FileSystem.copy(files.analytics, to: place.file) }
        return try read(place, body)
    }

    /// A page that cannot be read makes the file anew, and the report is run again.
    private func read<Value>(
        _ place: AnalyticsPlace, _ body: (AnalyticsContext) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        let update = try AnalyticsStore(self, place, waits: true)?.catchUp()
        do throws(LedgerError) { return try body(try open(place.file, update)) } catch {
            let isAboutPages = ["storage_corrupt", "analytics_unreadable"].contains(error.code.rawValue)
            guard isAboutPages, Self.isDamaged(place.file) else { throw error }
        }
        let anew = try AnalyticsStore(self, place, waits: true)?.rebuild(.damaged)
        return try body(try open(place.file, anew))
    }

    private static func isDamaged(_ path: String) -> Bool {
        guard let connection = try? Connection(path: path, mode: .read) else { return false }
        return (try? DatabaseCheck.complaints(connection)) != []
    }

    private func open(_ path: String, _ update: AnalyticsUpdate?) throws(LedgerError) -> AnalyticsContext {
        try translated { () throws(StorageError) in
            let connection = try stored { () throws(SQLiteError) in
                let connection = try Connection(path: path, mode: .read)
                try connection.execute(SchemaFiles.analyticsConfigureReader)
                return connection
            }
            guard let progress = try AnalyticsProgress(connection) else {
                throw StorageError(
                    .corrupt, message: "analytics.sqlite says nothing of itself.", remedy: "Run `rebuild`: it is made anew.")
            }
            return AnalyticsContext(connection: connection, progress: progress, update: update)
        }
    }
}
