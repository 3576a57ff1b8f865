import Cryptography
import EventStorage
import SQLite
import SchemaFiles
package import SessionDomain
import SystemCalls
import Vault

/// What an import made.
package struct ImportReport: Sendable, Equatable {
    package let folder: String
    package let ledgerID: UUID128
    package let epoch: UUID128
    /// The last event of the export.
    package let position: Int64
    package let rows: Int64
    /// Sessions whose erasure is remembered outside the ledger.
    package let tombstones: Int
    /// Sessions that the export still held and that were erased again.
    package let erasedAgain: Int
}

extension Ledger {
    /// Makes a ledger from an export, in a folder beside that gets its name when everything was compared: the digest over all lines, the
    /// chain over every event, rows about things that are not there, the master key. Sessions that tombstones name are erased again.
    ///
    /// Its originals and answers lie elsewhere, which a sealed note in the folder says to `audit verify` and `doctor`.
    ///
    /// - Throws: `folder_not_empty`, `not_an_export`, `rows_damaged`, `needs_newer_version`, `tombstones_missing`, `tombstones_damaged`,
    ///   `tombstones_foreign`, `master_key_missing`, `wrong_master_key`. Nothing is left then.
    package static func importRows(
        from path: String, to folder: String, options: RestoreOptions = RestoreOptions()
    ) throws(LedgerError) -> ImportReport {
        guard try called({ () throws(SystemError) in try FileStatus.of(path) }) != nil else {
            throw LedgerError(
                code: .init(rawValue: "no_such_file"), message: "There is no file \(path).", remedy: "Check the path.")
        }
        let reader = try RowReader(try called { () throws(SystemError) in try FileDescriptor(readingFile: path) })
        guard !reader.header.isPart, let settings = reader.header.settings else { throw .notAnExport }
        let target = try RestoreFolder(folder)
        let ground = RestoreGround(in: target.staging, options)
        do throws(LedgerError) { try ground.settle(settings) } catch {
            // What cannot be done with altered settings is the file's damage, not the user's mistake.
            try reader.forEachRow { (_, _) in }
            throw error
        }
        let epoch = Identifiers.fresh(atMilliseconds: options.clock.nowMilliseconds())
        try fill(ground, reader, epoch)
        try check(ground.files, reader.header)

        var open = LedgerOptions()
        open.clock = options.clock
        open.environment = options.environment
        open.executesDueErasures = false
        let ledger = try Ledger.open(folder: target.staging, options: open)
        let (again, current): (Int, UUID128)
        do throws(LedgerError) {
            _ = try ledger.rebuild()
            try ledger.checkWork()
            try ledger.noteElsewhere(through: reader.header.through.position)
            again = try ledger.becomeImported(position: reader.header.through.position, ground.tombstones)
            current = try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try EventDatabase.identity(context.connection).epoch }
            }
        } catch {
            ledger.closeAndWait()
            throw error
        }
        ledger.closeAndWait()
        try target.place()
        return ImportReport(
            folder: target.path, ledgerID: reader.header.ledgerID, epoch: current, position: reader.header.through.position,
            rows: reader.rows, tombstones: Set(ground.tombstones.map(\.session)).count, erasedAgain: again)
    }

    /// Both databases from the file's rows.
    private static func fill(_ ground: RestoreGround, _ reader: RowReader, _ epoch: UUID128) throws(LedgerError) {
        let (files, access, header) = (ground.files, ground.access, reader.header)
        try called { () throws(SystemError) in
            try FileSystem.makeFolder(files.keys, access: access)
            for path in [files.database, files.keys + "/keys.sqlite"] {
                let file = try FileDescriptor(opening: path, .createNew, mode: access.fileMode)
                try access.apply(to: file, mode: access.fileMode)
            }
        }
        let (ledger, keys) = try translated { () throws(StorageError) in
            let ledger = try EventDatabase.create(
                at: files.database, ledgerID: header.ledgerID, epoch: epoch, codeNames: CodeNames.all,
                nowMilliseconds: header.createdAtMilliseconds)
            let keys = try stored { () throws(SQLiteError) in
                let keys = try Connection(path: files.keys + "/keys.sqlite", mode: .write)
                try keys.execute(SchemaFiles.keysConfigure)
                try keys.execute(SchemaFiles.keysSchema)
                return keys
            }
            return (ledger, keys)
        }
        let taker = RowTaker(ledger: ledger, keys: keys, after: 0)
        try reader.forEachRow { (place, row) throws(LedgerError) in try taker.take(place, row) }
        try taker.finish()
        let hasKeys = try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                _ = try ledger.checkpoint(.truncate)
                let (used, minted) = (try Statement(ledger, SchemaFiles.lastKey), try Statement(keys, SchemaFiles.keysLast))
                guard try used.step(), try minted.step() else { return false }
                return used.int64(0) <= minted.int64(0)
            }
        }
        guard hasKeys else { throw .damagedExport("a session's key is missing") }
    }

    /// The log ends where the header says, is as it was written, and nothing beside it is about what is not there.
    private static func check(_ files: LedgerFiles, _ header: RowHeader) throws(LedgerError) {
        let connection = try translated { () throws(StorageError) in
            try EventDatabase.openForReading(files.database, mode: .immutable)
        }
        guard try BackupSubject(connection).through == header.through else {
            throw .damagedExport("its log does not end where its first line says")
        }
        let (problem, stray, configurations) = try translated { () throws(StorageError) in
            (
                try DatabaseCheck.logProblem(connection, checksEpoch: false), try text(connection, SchemaFiles.strayRows),
                try areDigested(connection)
            )
        }
        if let problem { throw .damagedExport("its log is altered (\(problem))") }
        if let stray { throw .damagedExport("a row of \(stray) is about something that is not in it") }
        guard configurations else { throw .damagedExport("a configuration is not the one that its digest names") }
    }

    /// Once the deliveries have been made from the events.
    private func checkWork() throws(LedgerError) {
        let stray = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try Self.text(context.connection, SchemaFiles.strayWork) }
        }
        if let stray { throw .damagedExport("a row of \(stray) is about a delivery that is not in it") }
    }

    private static func text(_ connection: Connection, _ sql: [UInt8]) throws(StorageError) -> String? {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            return try statement.step() ? statement.text(0) : nil
        }
    }

    private static func areDigested(_ connection: Connection) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.listConfigurations)
            while try statement.step() {
                guard SHA256.digest(of: Array(statement.text(1).utf8)).bytes == statement.blob(0) else { return false }
            }
            return true
        }
    }
}
