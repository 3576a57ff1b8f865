package import EventStorage
package import Outbox
package import Projections
package import SQLite
import Synchronization
import SystemCalls

/// What a read may use; it belongs to one thread at a time.
package final class ReadContext {
    package let connection: Connection
    package let events: EventReader
    package let flows: FlowReader
    package let outbox: OutboxReader
    let configurations: ConfigurationCache

    init(_ connection: Connection) throws(StorageError) {
        self.connection = connection
        events = try EventReader(connection)
        flows = FlowReader(connection)
        outbox = OutboxReader(connection)
        configurations = ConfigurationCache(events)
    }
}

/// Lends connections that read; they never write and never checkpoint.
final class ReadDesk: Sendable {
    private let files: LedgerFiles
    private let spare = Mutex<[Lent]>([])

    /// A context changes hands only through the mutex.
    private struct Lent: @unchecked Sendable {
        let context: ReadContext
    }

    init(files: LedgerFiles) { self.files = files }

    /// Runs `body` on a connection of its own; every statement sees what was committed when it began.
    func read<Value>(_ body: (ReadContext) throws(LedgerError) -> Value) throws(LedgerError) -> Value {
        let lent: Lent
        if let free = spare.withLock({ $0.popLast() }) { lent = free } else { lent = Lent(context: try open()) }
        let value = try body(lent.context)
        spare.withLock { if $0.count < 8 { $0.append(lent) } }
        return value
    }

    private func open() throws(LedgerError) -> ReadContext {
        try translated { () throws(StorageError) in try ReadContext(try connect()) }
    }

    /// A reader who may not write opens the database alone only when there is no write-ahead log or an empty one, since SQLite
    /// would silently leave out what the log holds; otherwise it reads a copy.
    private func connect() throws(StorageError) -> Connection {
        if FileSystem.isWritable(files.folder), FileSystem.isWritable(files.database) {
            return try EventDatabase.openForReading(files.database)
        }
        let logSize = (try? FileStatus.of(files.log))??.size ?? 0
        if logSize == 0 { return try EventDatabase.openForReading(files.database, mode: .immutable) }
        if let live = try? EventDatabase.openForReading(files.database) { return live }
        let copy = try TemporaryCopy.of(files)
        defer { copy.unlink() }
        return try EventDatabase.openForReading(copy.database)
    }

    func close() { spare.withLock { $0.removeAll() } }
}
