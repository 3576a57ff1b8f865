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
