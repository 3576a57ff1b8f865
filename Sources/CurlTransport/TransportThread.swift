import DeliveryMachine
import Dispatch
import SessionDomain
import Synchronization

/// One libcurl transport and the thread that moves it: orders come in, what ended goes to the mailbox.
final class TransportThread: @unchecked Sendable {
    private enum Order {
        case start(Handed)
        /// Signalled once the result lies in the mailbox.
        case cancel(DeliveryID, DispatchSemaphore)
        case stop
    }

    /// A request on its way to the thread: whoever gave it lets go of it.
    private struct Handed: @unchecked Sendable {
        let request: TransferRequest
    }

    private struct State {
        var orders: [Order] = []
        /// Why it takes no orders any more.
        var end: DeliveryFault?
    }

    private let state = Mutex(State())
    private let mailbox: Mailbox
    private let ended = DispatchSemaphore(value: 0)
    /// The thread's own, but for `wake`, which any thread may call.
    private let transport: CurlMultiTransport

    /// - Parameters:
    ///   - roomyTransfers: as of the transport.
    ///   - now: wall-clock milliseconds, for the results' times only.
    init(_ mailbox: Mailbox, roomyTransfers: Int, now: @escaping @Sendable () -> Int64) throws(DeliveryFault) {
        self.mailbox = mailbox
        transport = try CurlMultiTransport(now: now, roomyTransfers: roomyTransfers)
        DispatchQueue(label: "capture-ledger.transport", qos: .userInitiated).async { self.work() }
    }

    func start(_ request: TransferRequest) throws(DeliveryFault) { try order(.start(Handed(request: request))) }

    /// Returns when the result lies in the mailbox.
    func cancel(_ token: DeliveryID) {
        let done = DispatchSemaphore(value: 0)
        // a thread that is over has no transfers left
        guard (try? order(.cancel(token, done))) != nil else { return }
        done.wait()
    }

    /// Returns when the thread is over.
    func stop() {
        guard (try? order(.stop)) != nil else { return }
        ended.wait()
    }

    private func order(_ order: Order) throws(DeliveryFault) {
        let end = state.withLock { state -> DeliveryFault? in
            if state.end == nil { state.orders.append(order) }
            return state.end
        }
        if let end { throw end }
        transport.wake()
    }

    private func work() {
        var failure: DeliveryFault?
        do throws(DeliveryFault) {
            while try perform(takeOrders()) { mailbox.deposit(try transport.wait(milliseconds: 1_000)) }
        } catch {
            failure = error
        }
        let left = state.withLock { state in
            state.end = failure ?? CurlLibrary.unavailable
            return state.orders
        }
        for case .cancel(_, let done) in left { done.signal() }
        if let failure { mailbox.fail(failure) }
        ended.signal()
    }

    private func takeOrders() -> [Order] {
        state.withLock { state in
            defer { state.orders.removeAll() }
            return state.orders
        }
    }

    /// False when it is told to stop.
    private func perform(_ orders: [Order]) throws(DeliveryFault) -> Bool {
        for order in orders {
            switch order {
            case .start(let handed): try transport.start(handed.request)
            case .cancel(let token, let done):
                defer { done.signal() }
                transport.cancel(token)
                mailbox.deposit(try transport.wait(milliseconds: 0))
            case .stop: return false
            }
        }
        return true
    }
}
