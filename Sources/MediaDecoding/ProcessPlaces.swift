import Dispatch
import MediaChecks
import Synchronization

/// Bounds how many decoders work at the same time.
final class ProcessPlaces: Sendable {
    private let semaphore: DispatchSemaphore

    init(count: Int) { semaphore = DispatchSemaphore(value: max(1, count)) }

    /// Waits for a place.
    ///
    /// - Throws: `unavailable(busy)`: nothing is said about the capture.
    func take(deadline: Int64) throws(DecodingRefusal) -> Place {
        guard semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(max(0, deadline)))) == .success else {
            throw .unavailable("busy")
        }
        return Place(semaphore)
    }

    /// Left once, at the latest when it goes out of scope: a semaphore that is let go of below its value traps.
    final class Place: Sendable {
        private let semaphore: DispatchSemaphore
        private let isTaken = Mutex(true)

        init(_ semaphore: DispatchSemaphore) { self.semaphore = semaphore }

        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { semaphore.signal() }
        }

        deinit { leave() }
    }
}
