import DeliveryMachine
import EventStorage
import Outbox
import Projections
import SQLite
import SessionDomain
import SystemCalls
import Vault

/// What a job may use while the transaction is open: the log, the projections, the work on deliveries, the keys.
final class WriteContext {
    let connection: Connection
    let writer: EventWriter
    let reader: EventReader
    let configurations: ConfigurationCache
    let outbox: OutboxWriter
    let vault: Vault
    let clock: LedgerClock
    let identity: EventDatabase.Identity
    private let flows: FlowProjection
    private let deliveries: DeliveryProjection
    private var sessions: [SessionID: OpenSession] = [:]
    private var dirty: [OpenSession] = []
    var starts = RecentStarts()
    /// The highest key that is known to be in the pool.
    var mintedThrough: Int64 = 0
    /// The store's time in this transaction.
    private(set) var nowMilliseconds: Int64 = 0
    private(set) var isClockBehind = false
    /// What the wall clock says in this transaction: what stored times are compared with.
    private(set) var wallMilliseconds: Int64 = 0
    var jumps = ClockJumps()
    private var knowsJumps = false
    /// Asks the writer to leave an empty write-ahead log behind this transaction: what was deleted must not stay readable in it.
    var emptiesLog = false
    /// The last transaction that asked for it left an empty log behind.
    var leftLogEmpty = false
    /// By number, the sessions in their undo window.
    var erasureRequests: [Int64: ErasureRequest] = [:]
    var knowsErasures = false

    /// Sessions whose state is kept between transactions.
    private static let keptSessions = 8192

    /// A session as this transaction sees it.
    final class OpenSession {
        let row: EventReader.SessionRow
        var fold = SessionFold()
        var deliveries = DeliveryFold()
        var isDirty = false

        init(_ row: EventReader.SessionRow) { self.row = row }
    }

    init(_ connection: Connection, vault: Vault, clock: LedgerClock) throws(StorageError) {
        self.connection = connection
        self.vault = vault
        self.clock = clock
        identity = try EventDatabase.identity(connection)
        writer = try EventWriter(connection, ledgerID: identity.ledgerID)
        reader = try EventReader(connection)
        configurations = ConfigurationCache(reader)
        outbox = try OutboxWriter(connection)
        flows = try FlowProjection(connection)
        deliveries = try DeliveryProjection(connection, deliveryID: DeliveryNames().delivery)
    }

    func begin() throws(LedgerError) {
        let beginning = try translated { () throws(StorageError) in try writer.begin() }
        if beginning.othersWrote || sessions.count > Self.keptSessions { sessions.removeAll(keepingCapacity: true) }
        try unlocked { () throws(VaultError) in try vault.refresh() }
        wallMilliseconds = clock.nowMilliseconds()
        let time = writer.recordingTime(wallClock: wallMilliseconds)
        nowMilliseconds = time.milliseconds
        isClockBehind = time.isBehind
        emptiesLog = false
        if beginning.othersWrote || !knowsJumps {
            jumps = try translated { () throws(StorageError) in try ClockJumps(connection) }
            knowsJumps = true
        }
        try noteClock()
        if beginning.othersWrote || !knowsErasures {
            let requests = try translated { () throws(StorageError) in try reader.erasureRequests() }
            erasureRequests = Dictionary(requests.map { ($0.sessionNumber, $0) }) { $1 }
            knowsErasures = true
        }
    }

    /// Writes each changed session's row once, however many events it got, and makes everything durable.
    func commit() throws(LedgerError) {
        try translated { () throws(StorageError) in
            for session in dirty {
                session.isDirty = false
                let moved = jumps.total(after: session.fold.firstPosition)
                if let row = FlowRow(&session.fold, sessionNumber: session.row.number, jumps: moved) { try flows.write(row) }
            }
            dirty.removeAll(keepingCapacity: true)
            try writer.commit(atMilliseconds: nowMilliseconds)
        }
    }

    func rollback() { writer.rollback() }

    /// The session's state with what this batch has already done to it; nil when there is none of that id.
    func session(_ id: SessionID) throws(LedgerError) -> OpenSession? {
        if let known = sessions[id] { return known }
        return try translated { () throws(StorageError) in
            guard let row = try reader.session(id), row.number != 0 else { return nil }
            let open = OpenSession(row)
            try reader.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                let event = try configurations.decode(stored.encoded)
                open.fold.apply(event, position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds)
                if let event { open.deliveries.apply(event, position: stored.position, state: &open.fold.state) }
                return true
            }
            open.deliveries.forgetChanges()
            sessions[id] = open
            return open
        }
    }

    func session(number: Int64) throws(LedgerError) -> OpenSession? {
        let row = try translated { () throws(StorageError) in try reader.session(number: number) }
        guard let row else { return nil }
        return try session(row.id)
    }

    /// Numbers a session that begins now.
    func insertSession(_ id: SessionID, keyNumber: Int64) throws(LedgerError) -> OpenSession {
        let number = try translated { () throws(StorageError) in try writer.insertSession(id, keyNumber: keyNumber) }
        let open = OpenSession(EventReader.SessionRow(number: number, id: id, keyNumber: keyNumber))
        sessions[id] = open
        return open
    }

    /// Appends a session's event with everything that is derived from it in the same transaction.
    @discardableResult
    func append(_ event: NewEvent, _ decided: SessionEvent, to session: OpenSession) throws(LedgerError) -> Int64 {
        try translated { () throws(StorageError) in
            let position = try writer.append(
                event, session: session.row.id, number: session.row.number, version: session.fold.state.version + 1,
                recordedAtMilliseconds: nowMilliseconds)
            session.fold.apply(decided, position: position, recordedAtMilliseconds: nowMilliseconds)
            session.deliveries.apply(decided, position: position, state: &session.fold.state)
            try deliveries.write(&session.deliveries, session: session.row.id, number: session.row.number)
            if !session.isDirty {
                session.isDirty = true
                dirty.append(session)
            }
            return position
        }
    }
}
