import Dispatch
import EventStorage
import Outbox
import Projections
import Synchronization

/// Folds all sessions on threads that read while the caller writes: pages of sessions come out in the order of their numbers, and few
/// are held at once.
struct ProjectionPipeline: Sendable {
    /// Sessions of one page.
    private static let page: Int64 = 256
    /// Pages that one reader may be ahead.
    private static let ahead = 4
    private static let readers = 2
    /// Sums that one reader holds before it hands them over.
    private static let heldSums = 20_000

    let ledger: Ledger
    let jumps: ClockJumps
    let lastSession: Int64
    /// Events behind it are not looked at.
    let position: Int64

    /// Hands every page to `body`, on the calling thread.
    ///
    /// - Returns: how many events were folded.
    func forEachPage(_ body: (ProjectionPage) throws(LedgerError) -> Void) throws(LedgerError) -> Int64 {
        let lanes = (0..<Self.readers).map { _ in Lane(ahead: Self.ahead) }
        let group = DispatchGroup()
        for (index, lane) in lanes.enumerated() {
            DispatchQueue(label: "capture-ledger.projection.\(index)").async(group: group) {
                do throws(LedgerError) { try read(lane, first: Int64(index)) } catch { lane.put(.failure(error)) }
            }
        }
        defer {
            for lane in lanes { lane.stop() }
            group.wait()
        }
        var events: Int64 = 0
        for page in 0..<pageCount {
            let next = try lanes[Int(page % Int64(Self.readers))].take()
            events += next.events
            try body(next)
        }
        return events
    }

    private var pageCount: Int64 { (lastSession + Self.page - 1) / Self.page }

    /// Every page that falls to one reader, on a connection of its own.
    private func read(_ lane: Lane, first: Int64) throws(LedgerError) {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let projector = try SessionProjector(context)
                var sums = DailySums()
                for number in stride(from: first, to: pageCount, by: Self.readers) {
                    guard lane.waitForRoom() else { return }
                    let (page, before) = (ProjectionPage(), projector.events)
                    try projector.project(
                        sessionsAbove: number * Self.page, through: min(lastSession, (number + 1) * Self.page), at: position
                    ) { (session) throws(StorageError) in
                        page.add(&session, jumps: jumps)
                        sums.add(session.facts, sign: 1)
                    }
                    page.events = projector.events - before
                    if sums.rowCount > Self.heldSums || number + Int64(Self.readers) >= pageCount {
                        (page.sums, sums) = (sums, DailySums())
                    }
                    lane.put(.success(page))
                }
            }
        }
    }

    /// One reader's pages on their way to the writer.
    private final class Lane: Sendable {
        private let free: DispatchSemaphore
        private let filled = DispatchSemaphore(value: 0)
        private let pages = Mutex<[Result<ProjectionPage, LedgerError>]>([])
        private let isStopped = Atomic(false)
        private let ahead: Int

        init(ahead: Int) {
            self.ahead = ahead
            free = DispatchSemaphore(value: 0)
            for _ in 0..<ahead { free.signal() }
        }

        /// False when the writer wants no more.
        func waitForRoom() -> Bool {
            free.wait()
            return !isStopped.load(ordering: .acquiring)
        }

        func put(_ page: Result<ProjectionPage, LedgerError>) {
            pages.withLock { $0.append(page) }
            filled.signal()
        }

        func take() throws(LedgerError) -> ProjectionPage {
            filled.wait()
            let page = pages.withLock { $0.removeFirst() }
            free.signal()
            return try page.get()
        }

        func stop() {
            isStopped.store(true, ordering: .releasing)
            free.signal()
        }
    }
}
