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
    /// The part of the error that the ledger knows of and takes out: steps of more than a minute since it was last anchored.
    private var known: Int64 = 0
    /// How often the time that the machine is given has stepped.
    private(set) var steps = 0

    var wall: Int64 { Self.start + elapsed + wallError }

    /// What the worker is given: the wall clock without the steps that the ledger noticed.
    var corrected: Int64 { wall - known }

    func move(to time: Int64) { elapsed = max(elapsed, time) }

    /// Somebody, or a time server, sets the clock.
    func step(_ amount: Int64) {
        wallError += amount
        if abs(amount) > 60_000 { known += amount } else { steps += 1 }
    }

    /// Nothing tells a step while the machine was off from time that passed: the wall clock is believed anew.
    func reboot() {
        if known != 0 { steps += 1 }
        known = 0
    }

    /// The time server has won: the clock is right again, and the ledger believes it.
    func heal() {
        if known != wallError || wallError != 0 { steps += 1 }
        wallError = 0
        known = 0
    }
}
