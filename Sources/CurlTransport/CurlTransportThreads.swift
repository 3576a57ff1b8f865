package import DeliveryMachine
import Glibc
package import SessionDomain

/// libcurl transports on threads of their own: requests move on while the worker waits for the disk, and on several processors the
/// media of several is opened and sent at the same time.
///
/// To its worker it is a transport like any other. The media of a request is read on one thread from its start to its end, and by
/// nobody else meanwhile. Requests that share something go by one thread: a limit of bytes a second, a connection of HTTP/2.
package final class CurlTransportThreads: Transport {
    private static let mostThreads = 4
    /// Of all threads together.
    private static let roomyTransfers = 16

    private let now: @Sendable () -> Int64
    private let limit: Int
    private let mailbox = Mailbox()
    /// Made as they are needed, each with the count of its transfers.
    private var threads: [(thread: TransportThread, load: Int)] = []
    /// Started and not handed out yet, each with its thread.
    private var places: [DeliveryID: Int] = [:]

    /// - Parameters:
    ///   - threads: at most; nil: as many as there are processors, up to four.
    ///   - now: wall-clock milliseconds, for the results' times only.
    package init(threads: Int? = nil, now: @escaping @Sendable () -> Int64) throws(DeliveryFault) {
        self.now = now
        limit = threads ?? min(Self.mostThreads, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        try add()
    }

    deinit { for (thread, _) in threads { thread.stop() } }

    package var transfersUnderWay: Int { places.count }

    package func start(_ request: TransferRequest) throws(DeliveryFault) {
        let place = try place(for: request)
        try threads[place].thread.start(request)
        guard places.updateValue(place, forKey: request.token) == nil else { return }
        threads[place].load += 1
    }

    package func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let results = try mailbox.take(milliseconds: milliseconds)
        for result in results {
            if let place = places.removeValue(forKey: result.token) { threads[place].load -= 1 }
        }
        return results
    }

    package func cancel(_ token: DeliveryID) {
        if let place = places[token] { threads[place].thread.cancel(token) }
    }

    /// Has a `wait` return soon, from any thread.
    package var wake: @Sendable () -> Void { { [mailbox] in mailbox.wake() } }

    /// The thread that has least to do; of several the first, whose connections are used already.
    private func place(for request: TransferRequest) throws(DeliveryFault) -> Int {
        if let place = places[request.token] { return place }
        if request.settings.bandwidth != nil || request.settings.httpVersion == .http2 { return 0 }
        let place = threads.indices.min { threads[$0].load < threads[$1].load } ?? 0
        if threads[place].load == 0 || threads.count == limit { return place }
        try add()
        return threads.count - 1
    }

    private func add() throws(DeliveryFault) {
        threads.append((try TransportThread(mailbox, roomyTransfers: Self.roomyTransfers / limit, now: now), 0))
    }
}
