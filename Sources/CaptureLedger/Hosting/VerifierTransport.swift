import DeliveryMachine
import Dispatch
import SessionDomain
import Synchronization

/// Turns a request into a call of a host's verifier, and what it says into an answer: what an answer means, when to try again, what is
/// logged and archived is then what it is for an endpoint.
final class VerifierTransport: Transport {
    private struct Call {
        let serial: Int
        let task: Task<Void, Never>
        let startedAtMilliseconds: Int64
        let endsAt: ContinuousClock.Instant
    }

    private let ledger: Ledger
    private let queue: HostDeliveryQueue
    private let timeout: Duration
    private let answers = Answers()
    private var calls: [DeliveryID: Call] = [:]
    private var ended: [TransferResult] = []
    private var lastSerial = 0

    init(_ ledger: Ledger, _ queue: HostDeliveryQueue, timeout: Duration) {
        self.ledger = ledger
        self.queue = queue
        self.timeout = timeout
    }

    var transfersUnderWay: Int { calls.count + ended.count }

    func start(_ request: TransferRequest) throws(DeliveryFault) {
        let now = ledger.clock.nowMilliseconds()
        guard let claim = queue.claimed[request.token], let flow = ledger.hosting.flow(claim.session),
            let verifier = flow.watching.withLock({ $0.verifier }), let result = try? ledger.result(of: claim)
        else {
            // The session went out of sight between the claim and the call: nobody was asked.
            ended.append(Self.result(request.token, code: 7, sent: 0, from: now, to: now, fault: Self.withdrawn))
            return
        }
        lastSerial += 1
        let (serial, token, answers) = (lastSerial, request.token, answers)
        let task = Task {
            let outcome = await verifier.verify(result, in: flow)
            answers.add(.init(token: token, serial: serial, body: outcome.answer(for: result.captureID)))
        }
        calls[token] = Call(
            serial: serial, task: task, startedAtMilliseconds: now, endsAt: ContinuousClock.now.advanced(by: timeout))
    }

    func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let end = ContinuousClock.now.advanced(by: .milliseconds(milliseconds))
        while ended.isEmpty, !calls.isEmpty || milliseconds > 0 {
            let next = calls.values.map(\.endsAt).min().map { min($0, end) } ?? end
            for answer in answers.take(until: next) { finish(answer) }
            timeOut()
            if ContinuousClock.now >= end { break }
        }
        defer { ended.removeAll() }
        return ended
    }

    func cancel(_ token: DeliveryID) {
        guard let call = calls.removeValue(forKey: token) else { return }
        call.task.cancel()
        ended.append(
            Self.result(
                token, code: 42, sent: 1, from: call.startedAtMilliseconds, to: ledger.clock.nowMilliseconds(),
                fault: Self.stopped))
    }

    /// An answer of a call that was given up meanwhile counts no more: its capture is asked about again.
    private func finish(_ answer: Answers.Answer) {
        guard let call = calls[answer.token], call.serial == answer.serial else { return }
        calls[answer.token] = nil
        var result = Self.result(
            answer.token, code: 0, sent: 1, from: call.startedAtMilliseconds, to: ledger.clock.nowMilliseconds(), fault: nil)
        result.status = 200
        result.headers = [Header("Content-Type", "application/json")]
        result.body = answer.body
        ended.append(result)
    }

    private func timeOut() {
        let now = ContinuousClock.now
        for (token, call) in calls where call.endsAt <= now {
            calls[token] = nil
            call.task.cancel()
            // Sent, and no answer: it may have done its work.
            ended.append(
                Self.result(
                    token, code: 28, sent: 1, from: call.startedAtMilliseconds, to: ledger.clock.nowMilliseconds(), fault: nil))
        }
    }

    private static func result(
        _ token: DeliveryID, code: Int32, sent: Int64, from start: Int64, to end: Int64, fault: DeliveryFault?
    ) -> TransferResult {
        TransferResult(
            token: token, curlCode: code, status: 0, headers: [], body: [], bytesSent: sent, startedAtMilliseconds: start,
            finishedAtMilliseconds: end, localFault: fault)
    }

    private static let withdrawn = DeliveryFault(
        .stopped, message: "No verifier of this session is in this process.", remedy: "Make the flow again with its verifier.")
    private static let stopped = DeliveryFault(
        .stopped, message: "The ledger was closed while the verifier worked.", remedy: "It is asked again when it is opened.")
}

/// Where calls on other threads leave their answers.
private final class Answers: Sendable {
    struct Answer {
        let token: DeliveryID
        let serial: Int
        let body: [UInt8]
    }

    private let waiting = Mutex<[Answer]>([])
    private let signal = DispatchSemaphore(value: 0)

    func add(_ answer: Answer) {
        waiting.withLock { $0.append(answer) }
        signal.signal()
    }

    /// What there is, at the latest at the time given.
    func take(until end: ContinuousClock.Instant) -> [Answer] {
        let rest = ContinuousClock.now.duration(to: end)
        _ = signal.wait(timeout: .now() + .milliseconds(max(0, Int(rest / .milliseconds(1)))))
        return waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
    }
}

extension VerificationOutcome {
    /// In the words of `docs/verifier-api.yaml`. A payload that is no JSON breaks the contract, as it would from an endpoint.
    fileprivate func answer(for captureID: String) -> [UInt8] {
        var members: [JSONValue.Member] = [.init("capture_id", .string(captureID))]
        switch self {
        case .verified(let payload):
            guard let value = try? JSONValue.parse(Array(payload.json)) else { return Array("the payload is no JSON".utf8) }
            members += [.init("outcome", .string("verified")), .init("payload", value)]
        case .rejected(let reason):
            members += [.init("outcome", .string("rejected")), .init("reason", .string(reason))]
        case .failed(let message):
            members += [.init("outcome", .string("failed")), .init("message", .string(message))]
        }
        return JSONValue.members(members).canonicalBytes
    }
}
