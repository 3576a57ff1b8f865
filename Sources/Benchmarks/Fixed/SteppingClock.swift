import Synchronization

/// A clock that goes on by a millisecond whenever it is asked.
final class SteppingClock: Sendable {
    private let time: Atomic<Int64>

    init(_ milliseconds: Int64) { time = Atomic(milliseconds) }

    func next() -> Int64 { time.add(1, ordering: .relaxed).newValue }
}
