package import EventStorage
package import SQLite
import SchemaFiles
package import Vault

/// Recomputes what a ledger promises about its stored bytes: positions, versions, commits, the chain, and the media that the
/// events name. It writes nothing, reads in pages so that the write-ahead log can be reset under it, and its memory does not grow
/// with the ledger. Events appended while it runs are left for the next time.
///
/// With the vault it also opens what is sealed; without, it compares the digests of the sealed bytes.
package final class LedgerVerifier {
    static let pageSize = 256

    let connection: Connection
    let vault: Vault?
    private let files: SealedFiles?
    private let reader: EventReader
    private var report = VerificationReport()

    /// - Parameter connection: a reading connection, which the verifier has for itself while it runs.
    /// - Parameter files: nil to look at the log alone: positions, versions, commits, the chain.
    package init(_ connection: Connection, files: SealedFiles?, vault: Vault?) throws(StorageError) {
        self.connection = connection
        self.files = files
        self.vault = vault
        reader = try EventReader(connection)
    }

    /// - Throws: what keeps the log itself from being read; a damaged ledger is a report with problems, not an error.
    package func verify() throws(StorageError) -> VerificationReport {
        report = VerificationReport()
        let last = try lastEvent()
        try checkLog(through: last, content: files.map { ContentCheck(files: $0, vault: vault, reader: reader) })
        try checkVersions()
        return report
    }

    /// Of the events themselves: the commits may have been cut off.
    private func lastEvent() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let newest = try Statement(connection, SchemaFiles.lastEvent)
            return try newest.step() ? newest.int64(0) : 0
        }
    }

    private func checkLog(through last: Int64, content: ContentCheck?) throws(StorageError) {
        let chain = try ChainCheck(connection, ledgerID: try EventDatabase.identity(connection).ledgerID)
        let page = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.eventsByPosition) }
        var position: Int64 = 0
        while true {
            let events = try readPage(page, after: position, through: last, chain: chain)
            guard let newest = events.last else { break }
            // The page's snapshot is closed by now: media may take long.
            if let content { for event in events { try content.check(event, into: &report) } }
            position = newest.position
        }
        try chain.finish(into: &report)
    }

    /// The rows of a page go through the chain as they are stored, and are handed back as events.
    private func readPage(
        _ page: borrowing Statement, after position: Int64, through last: Int64, chain: ChainCheck
    ) throws(StorageError) -> [StoredEvent] {
        try stored { () throws(SQLiteError) in
            page.bind(position, at: 1)
            page.bind(last, at: 2)
            page.bind(Self.pageSize, at: 3)
        }
        defer { page.reset() }
        while try stored({ () throws(SQLiteError) in try page.step() }) {
            let session = try reader.session(number: page.int64(1))?.id
            try chain.add(page, session: session, into: &report)
        }
        return try reader.events(after: position, through: last, limit: Self.pageSize)
    }

    private func checkVersions() throws(StorageError) {
        let (gaps, disorder) = try stored { () throws(SQLiteError) in
            var gaps: [(newest: Int64, count: Int64, position: Int64)] = []
            let broken = try Statement(connection, SchemaFiles.brokenVersions)
            while try broken.step(), gaps.count < VerificationReport.problemLimit {
                gaps.append((broken.int64(1), broken.int64(2), broken.int64(3)))
            }
            var disorder: [Int64] = []
            let late = try Statement(connection, SchemaFiles.eventsOutOfOrder)
            while try late.step(), disorder.count < VerificationReport.problemLimit { disorder.append(late.int64(0)) }
            return (gaps, disorder)
        }
        for gap in gaps {
            report.add(
                .versionGap, at: gap.position, "A session of \(gap.count) events has \(gap.newest) as its newest version.")
        }
        for position in disorder {
            report.add(.versionsOutOfOrder, at: position, "An event stands before the one that it follows in its session.")
        }
    }
}
