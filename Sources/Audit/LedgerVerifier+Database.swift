import Cryptography
import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Vault

extension LedgerVerifier {
    /// The file's own structure, its indexes, and the tables and triggers that keep the log append-only.
    func checkDatabase() throws(StorageError) {
        let complaints = try stored { () throws(SQLiteError) in
            let check = try Statement(connection, SchemaFiles.integrityCheck)
            var found: [String] = []
            while try check.step() { found.append(check.text(0)) }
            return found
        }
        for complaint in complaints where complaint != "ok" {
            report.add(.databaseDamaged, "SQLite finds damage in ledger.sqlite: \(Self.plain(complaint)).")
        }
        for number in complaints == ["ok"] ? try misledSessions() : [] {
            report.add(.databaseDamaged, "An index of the sessions leads elsewhere than to row \(number), which it is about.")
        }
        try checkSchema()
    }

    /// Of its own, so that it can be tried where SQLite's check finds the same.
    package static var misledSessionsQuery: [UInt8] { SchemaFiles.misledSessions }

    /// What SQLite's own check may pass over.
    private func misledSessions() throws(StorageError) -> [Int64] {
        try stored { () throws(SQLiteError) in
            let list = try Statement(connection, Self.misledSessionsQuery)
            var found: [Int64] = []
            while try list.step() { found.append(list.int64(0)) }
            return found
        }
    }

    /// SQLite's own words, without line feeds: they name pages and indexes, never a value.
    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    private func checkSchema() throws(StorageError) {
        guard try Migrator.schema(of: connection).version == Migrator.current else { return }
        let found = try Self.schema(connection)
        let expected = try Self.expectedSchema.get()
        for (name, text) in expected.sorted(by: { $0.key < $1.key }) where found[name] != text {
            report.add(
                .schemaAltered, "The \(name) \(found[name] == nil ? "is missing" : "is not as this version makes it").")
        }
        for name in found.keys.sorted() where expected[name] == nil {
            report.add(.schemaAltered, "The \(name) is none of this product's.")
        }
        for name in try Migrator.alteredRows(of: connection) {
            report.add(.schemaAltered, "What is on record of the migration \(name) is not what this version writes.")
        }
    }

    /// What a new ledger of this version has.
    private static let expectedSchema: Result<[String: String], StorageError> = {
        do throws(StorageError) { return .success(try newSchema()) } catch { return .failure(error) }
    }()

    private static func newSchema() throws(StorageError) -> [String: String] {
        let connection = try stored { () throws(SQLiteError) in try Connection(path: ":memory:", mode: .create) }
        try Migrator.apply(to: connection, nowMilliseconds: 0)
        return try schema(connection)
    }

    private static func schema(_ connection: Connection) throws(StorageError) -> [String: String] {
        try stored { () throws(SQLiteError) in
            let list = try Statement(connection, SchemaFiles.listSchema)
            var texts: [String: String] = [:]
            while try list.step() { texts["\(list.text(0)) \(list.text(1))"] = list.text(2) }
            return texts
        }
    }

    /// Configurations are kept by the digest of their text.
    func checkConfigurations() throws(StorageError) {
        let list = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.listConfigurations) }
        while try stored({ () throws(SQLiteError) in try list.step() }) {
            if SHA256.digest(of: Array(list.text(1).utf8)).bytes != list.blob(0) {
                report.add(.configurationAltered, "A session's configuration is not the one that its digest names.")
            }
        }
    }

    /// Every key that was minted opens, or is destroyed, and the guards of their file stand.
    func checkKeys() {
        guard let vault else { return }
        var found: [LedgerProblem] = []
        do throws(VaultError) {
            for name in try vault.alteredSchema() {
                found.append(
                    LedgerProblem(.schemaAltered, "In keys/keys.sqlite the \(name) is not as this version makes it."))
            }
            try vault.examineKeys { number, fault in
                guard found.count < VerificationReport.problemLimit else { return }
                found.append(
                    LedgerProblem(
                        .keyUnreadable,
                        fault == .doesNotOpen
                            ? "Session key \(number) does not open under the master key."
                            : "Session key \(number) is neither usable nor destroyed."))
            }
        } catch {
            found.append(LedgerProblem(.keyUnreadable, "The session keys cannot be read: \(error.message)."))
        }
        for problem in found { report.add(problem) }
    }
}
