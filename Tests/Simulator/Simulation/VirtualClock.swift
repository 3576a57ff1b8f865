import DeliveryMachine
import SessionDomain

/// The clocks of the simulated machine, in milliseconds. Only the world moves them.
///
/// `@unchecked Sendable`: a world and everything in it belong to one thread.
final class VirtualClock: @unchecked Sendable {
    /// When every world begins: 2027-01-15 08:00:00 UTC.
    static let start: Int64 = 1_800_000_000_000

    /// Since the world's beginning. It never stops, steps or goes back, as `CLOCK_BOOTTIME` within one boot.
    private(set) var elapsed: Int64 = 0
    /// What a wall clock that nobody touched would be ahead of ours.
    private(set) var wallError: Int64 = 0
    /// What the ledger has on record: the real one, which decides what is a jump.
    private var anchor: ClockAnchor?
    private var boots = 1
    /// How often the time that the machine is given has stepped.
    private(set) var steps = 0

    var wall: Int64 { Self.start + elapsed + wallError }

    private var bootID: UUID128 { UUID128(high: 0xB007_0000_0000_7000, low: UInt64(boots)) }

    /// What the worker is given: the wall clock without the steps that the ledger noticed, as it moves its times along.
    var corrected: Int64 {
        guard let anchor else { return wall }
        let jump = anchor.jump(bootID: bootID, boottimeMilliseconds: elapsed, wallMilliseconds: wall)
        return wall - anchor.jumpsMilliseconds - jump
    }

    func move(to time: Int64) { elapsed = max(elapsed, time) }

    /// Somebody, or a time server, sets the clock.
    func step(_ amount: Int64) { change { wallError += amount } }

    /// Nothing tells how long a machine was off, nor whether its clock went well meanwhile.
    func reboot(wrongBy amount: Int64) {
        change {
            wallError += amount
            boots += 1
        }
    }

    /// The time server has won: the clock is right again.
    func heal() { step(-wallError) }

    private var next: (anchor: ClockAnchor, jump: Int64)? {
        ClockAnchor.next(after: anchor, bootID: bootID, boottimeMilliseconds: elapsed, wallMilliseconds: wall)
    }

    /// The next write will find that the wall clock jumped.
    var hasJumped: Bool { next.map { $0.jump != 0 } ?? false }

    /// The ledger is written to, and looks at the clocks.
    func record() { if let next { anchor = next.anchor } }

    private func change(_ body: () -> Void) {
        let before = corrected
        body()
        if corrected != before { steps += 1 }
    }
}
