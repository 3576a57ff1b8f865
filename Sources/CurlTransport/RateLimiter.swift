/// A token bucket in bytes, shared by the transfers of one destination. A transfer that finds it empty pauses and is resumed in
/// turn, so that none starves beside a longer one.
final class RateLimiter {
    let bytesPerSecond: Int64
    /// What a transfer waits for: enough that a request is not sent in crumbs.
    private let quantum: Double
    /// At most this much is saved up while nobody sends.
    private let burst: Double
    private let now: () -> Duration
    private var available: Double = 0
    private var filledAt: Duration
    private var waiting: [Transfer] = []

    /// - Parameter now: a clock that never goes back.
    init(bytesPerSecond: Int64, now: @escaping () -> Duration) {
        self.bytesPerSecond = bytesPerSecond
        let rate = Double(bytesPerSecond)
        quantum = max(1, min(rate / 50, 65_536))
        burst = max(quantum, rate / 5)
        self.now = now
        filledAt = now()
    }

    /// How many of the wanted bytes may go now; 0: wait for your turn.
    func take(_ wanted: Int) -> Int {
        fill()
        guard available >= min(quantum, Double(wanted)) else { return 0 }
        let granted = min(wanted, Int(min(available, quantum)))
        available -= Double(granted)
        return granted
    }

    func giveBack(_ count: Int) { available += Double(count) }

    func wait(_ transfer: Transfer) { waiting.append(transfer) }

    func forget(_ transfer: Transfer) { waiting.removeAll { $0 === transfer } }

    /// Whose turn it is, first come first served.
    func resumable() -> [Transfer] {
        if waiting.isEmpty { return [] }
        fill()
        let count = min(waiting.count, Int(available / quantum))
        defer { waiting.removeFirst(count) }
        return Array(waiting[..<count])
    }

    /// Until somebody's turn comes; nil when nobody waits.
    var millisecondsToNextTurn: Int64? {
        if waiting.isEmpty { return nil }
        return max(1, Int64(((quantum - available) / Double(bytesPerSecond) * 1000).rounded(.up)))
    }

    private func fill() {
        let time = now()
        available = min(burst, available + (time - filledAt) / .seconds(1) * Double(bytesPerSecond))
        filledAt = time
    }
}
