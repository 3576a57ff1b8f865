package import DeliveryMachine
import Dispatch
package import SessionDomain
import Synchronization

/// A libcurl transport on a thread of its own: requests move on while the worker waits for the disk.
///
/// To its worker it is a transport like any other. The media of a request is read on the transport's thread from its start to
/// its end, and by nobody else meanwhile.
package final class CurlTransportThread: Transport {
    private let desk: Desk
    /// Started and not handed out yet.
    package private(set) var transfersUnderWay = 0

    /// - Parameter now: wall-clock milliseconds, for the results' times only.
    package init(now: @escaping @Sendable () -> Int64) throws(DeliveryFault) {
        let desk = Desk(try CurlMultiTransport(now: now))
        self.desk = desk
        DispatchQueue(label: "capture-ledger.transport", qos: .userInitiated).async { desk.work() }
    }

    deinit { desk.stop() }

    package func start(_ request: TransferRequest) throws(DeliveryFault) {
        try desk.order(.start(Handed(request)))
        transfersUnderWay += 1
    }

    package func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let results = try desk.take(milliseconds: milliseconds)
        transfersUnderWay -= results.count
        return results
    }

    package func cancel(_ token: DeliveryID) { desk.cancel(token) }

    /// Has a `wait` return soon, from any thread.
    package var wake: @Sendable () -> Void { { [desk] in desk.wake() } }
}

/// A request on its way to the transport's thread: whoever gave it lets go of it.
private struct Handed: @unchecked Sendable {
    let request: TransferRequest

    init(_ request: TransferRequest) { self.request = request }
}

/// Between the two threads: orders one way, results the other.
private final class Desk: @unchecked Sendable {
    enum Order {
        case start(Handed)
        /// Signalled once the result lies here.
        case cancel(DeliveryID, DispatchSemaphore)
        case stop
    }

    private struct State {
        var orders: [Order] = []
        var results: [TransferResult] = []
        var isWoken = false
        /// The thread is over: why, unless it was told to stop.
        var failure: DeliveryFault?
        var isOver = false
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// The thread's own, but for `wake`, which any thread may call.
    private let transport: CurlMultiTransport

    init(_ transport: CurlMultiTransport) { self.transport = transport }

    func order(_ order: Order) throws(DeliveryFault) {
        let failure = state.withLock { state -> DeliveryFault? in
            if !state.isOver { state.orders.append(order) }
            return state.isOver ? state.failure ?? CurlLibrary.unavailable : nil
        }
        if let failure { throw failure }
        transport.wake()
    }

    func cancel(_ token: DeliveryID) {
        let done = DispatchSemaphore(value: 0)
        // a thread that is over has no transfers left
        guard (try? order(.cancel(token, done))) != nil else { return }
        done.wait()
    }

    func stop() {
        guard (try? order(.stop)) != nil else { return }
        ended.wait()
    }

    func take(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let deadline = DispatchTime.now() + .milliseconds(max(0, milliseconds))
        while true {
            let (results, failure, isWoken) = state.withLock { state in
                defer {
                    state.results.removeAll()
                    state.isWoken = false
                }
                return (state.results, state.failure, state.isWoken)
            }
            if !results.isEmpty { return results }
            if let failure { throw failure }
            if isWoken { return [] }
            if news.wait(timeout: deadline) == .timedOut { return [] }
        }
    }

    func wake() {
        state.withLock { $0.isWoken = true }
        news.signal()
    }

    /// The thread.
    func work() {
        var failure: DeliveryFault?
        do throws(DeliveryFault) {
            while try perform(
                state.withLock { state in
                    defer { state.orders.removeAll() }
                    return state.orders
                })
            {
                deposit(try transport.wait(milliseconds: 1_000))
            }
        } catch {
            failure = error
        }
        let left = state.withLock { state in
            state.isOver = true
            state.failure = failure
            return state.orders
        }
        for case .cancel(_, let done) in left { done.signal() }
        news.signal()
        ended.signal()
    }

    /// False when it is told to stop.
    private func perform(_ orders: [Order]) throws(DeliveryFault) -> Bool {
        for order in orders {
            switch order {
            case .start(let handed): try transport.start(handed.request)
            case .cancel(let token, let done):
                defer { done.signal() }
                transport.cancel(token)
                deposit(try transport.wait(milliseconds: 0))
            case .stop: return false
            }
        }
        return true
    }

    private func deposit(_ results: [TransferResult]) {
        if results.isEmpty { return }
        state.withLock { $0.results += results }
        news.signal()
    }
}
