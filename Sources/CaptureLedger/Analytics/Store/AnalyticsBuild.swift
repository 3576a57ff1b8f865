import EventStorage
import Projections
import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls

/// analytics.sqlite being made beside the one in use. Until `swapIn` nobody sees it; without, it is removed.
final class AnalyticsBuild {
    /// Sums in memory before they are written: some 40 MB.
    private static let heldSums = 400_000

    private let place: AnalyticsPlace
    private var writer: AnalyticsWriter?
    private var connection: Connection?

    /// The caller holds the lock of `place`.
    init(_ place: AnalyticsPlace) throws(LedgerError) {
        self.place = place
        let path = place.beside
        place.removeBeside()
        try called { () throws(SystemError) in
            let file = try FileDescriptor(opening: path, .createNew, mode: place.access.fileMode)
            try place.access.apply(to: file, mode: place.access.fileMode)
        }
        do {
            (connection, writer) = try translated { () throws(StorageError) in
                let connection = try stored { () throws(SQLiteError) in
                    let connection = try Connection(path: path, mode: .write)
                    try connection.execute(SchemaFiles.analyticsConfigureNew)
                    try connection.execute(SchemaFiles.analyticsConfigureBuild)
                    return connection
                }
                try AnalyticsWriter.makeTables(in: connection)
                let writer = try AnalyticsWriter(connection)
                try writer.begin()
                return (connection, writer)
            }
        } catch {
            place.removeBeside()
            throw error
        }
    }

    deinit {
        guard connection != nil else { return }
        (writer, connection) = (nil, nil)
        place.removeBeside()
    }

    func insert(_ page: ProjectionPage) throws(StorageError) {
        guard let writer else { return }
        try writer.insert(page.analytics)
        writer.add(page.sums)
        if writer.sums.rowCount > Self.heldSums { try writer.writeSums() }
    }

    /// Puts what was built into the old file's place: who has that one open goes on reading it.
    ///
    /// - Parameter context: of the ledger.
    func swapIn(_ progress: AnalyticsProgress, _ context: ReadContext) throws(LedgerError) {
        guard let writer else { return }
        try translated { () throws(StorageError) in
            try writer.takeAttempts(after: 0, through: progress.attemptNumber, context.connection)
            try writer.commit(progress)
        }
        (self.writer, self.connection) = (nil, nil)
        try place.swapIn()
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
