import DeliveryMachine
import EventStorage
import Outbox
import SQLite

extension LedgerDeliveryQueue {
    /// How far stored times are from this run's; 0 as long as nobody sets the clock.
    static func offset(_ anchor: ClockAnchor?, _ clock: LedgerClock, wallMilliseconds: Int64) -> Int64 {
        guard let anchor, let boot = clock.boot() else { return 0 }
        let expected = anchor.expectedWall(
            bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds, wallMilliseconds: wallMilliseconds)
        let offset = expected - clock.nowMilliseconds()
        return abs(offset) > ClockAnchor.smallestJumpMilliseconds ? offset : 0
    }

    /// Has a jump of the wall clock written down before times are compared with it. A machine that wakes up in the past has no
    /// other time than the one on record: where every destination is paused nothing else is written, and it would stand still.
    func noteClock() throws(LedgerError) {
        let anchor = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try ClockAnchor(context.connection) }
        }
        guard let anchor, let boot = clock.boot() else { return }
        let jump = anchor.jump(
            bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds,
            wallMilliseconds: ledger.clock.nowMilliseconds())
        // every write begins with it
        if jump != 0 { try ledger.writer.writeAndWait { _ in .success(()) } }
    }

    func offset(_ connection: Connection) throws(StorageError) -> Int64 {
        Self.offset(try ClockAnchor(connection), clock, wallMilliseconds: ledger.clock.nowMilliseconds())
    }
}

extension WriteContext {
    func offset(of clock: LedgerClock) throws(LedgerError) -> Int64 {
        let anchor = try translated { () throws(StorageError) in try outbox.clockAnchor() }
        return LedgerDeliveryQueue.offset(anchor, clock, wallMilliseconds: wallMilliseconds)
    }
}
