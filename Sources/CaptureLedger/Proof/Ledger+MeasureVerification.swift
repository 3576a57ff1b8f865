import Audit
import Cryptography
import EventStorage
import SQLite
import SchemaFiles

/// What verifying the log costs, beside what it cannot cost less than: reading its columns, and SHA-256 over the same bytes.
package struct VerifyFigures: Sendable, Hashable {
    package var events: Int64 = 0
    package var bytes: Int64 = 0
    package var readSeconds = 0.0
    package var hashSeconds = 0.0
    package var verifySeconds = 0.0

    package var boundSeconds: Double { readSeconds + hashSeconds }
    /// G7: at least 0.8.
    package var ratioToBound: Double { verifySeconds > 0 ? boundSeconds / verifySeconds : 0 }
}

extension Ledger {
    private static let measuredPage = 1024

    /// Measures on this ledger as it is, one after the other.
    package func measureVerification() throws(LedgerError) -> VerifyFigures {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let clock = ContinuousClock()
                var figures = VerifyFigures()
                let page = try stored { () throws(SQLiteError) in
                    try Statement(context.connection, SchemaFiles.eventsByPosition)
                }
                let began = clock.now
                try Self.forEachPage(page) { row in figures.bytes += Int64(row.touch(columns: LeafReader.columns)) }
                figures.readSeconds = (clock.now - began) / .seconds(1)

                let rows = StoredRows(reserving: 1 << 19)
                var hash = SHA256()
                var spent = Duration.zero
                func hashAll() {
                    let began = clock.now
                    for index in 0..<rows.count { _ = rows.withSpan(index) { hash.digest(prefix: 0, $0) } }
                    spent += clock.now - began
                    figures.events += Int64(rows.count)
                    rows.removeAll()
                }
                try Self.forEachPage(page) { row in
                    rows.append(row, columns: LeafReader.columns, replaced: LeafReader.sessionColumn)
                    if rows.count == Self.measuredPage { hashAll() }
                }
                hashAll()
                figures.hashSeconds = spent / .seconds(1)

                var options = AuditOptions()
                options.checksContent = false
                let start = clock.now
                _ = try LedgerVerifier(context.connection, files: nil, vault: nil, options: options).verify()
                figures.verifySeconds = (clock.now - start) / .seconds(1)
                return figures
            }
        }
    }

    private static func forEachPage(_ page: Statement, _ body: (Statement) -> Void) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            var position: Int64 = 0
            while true {
                page.bind(position, at: 1)
                page.bind(Int64.max, at: 2)
                page.bind(measuredPage, at: 3)
                let before = position
                while try page.step() {
                    position = page.int64(0)
                    body(page)
                }
                page.reset()
                if position == before { return }
            }
        }
    }
}
