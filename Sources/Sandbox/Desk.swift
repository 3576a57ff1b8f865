import LocalHTTP
import Synchronization

/// Guards the endpoints' state, and writes down what happens before it is answered.
final class Desk: Sendable {
    private let endpoints: Mutex<Endpoints>
    private let lines: AppendedLines?
    let stopSignal: StopSignal

    init(_ scenario: SandboxScenario, _ lines: AppendedLines?, _ stopSignal: StopSignal) throws(SandboxError) {
        var endpoints = Endpoints(scenario)
        for line in lines?.found ?? [] { try endpoints.restore(line) }
        self.endpoints = Mutex(endpoints)
        self.lines = lines
        self.stopSignal = stopSignal
    }

    var record: SandboxRecord { endpoints.withLock { $0.record } }
    var requiredAuthorization: String? { endpoints.withLock { $0.scenario.requiredAuthorization } }

    func use(_ scenario: SandboxScenario) { endpoints.withLock { $0.scenario = scenario } }

    func reset() {
        endpoints.withLock { endpoints in
            endpoints.reset()
            _ = append("reset", [:])
        }
    }

    func arrive(
        _ destination: SandboxDestination, _ headers: RequestHeaders
    ) -> (arrival: Endpoints.Arrival, early: SandboxScenario.Rule?) {
        endpoints.withLock { $0.arrive(destination, headers) }
    }

    func depart(_ arrival: Endpoints.Arrival) { endpoints.withLock { $0.depart(arrival) } }

    /// Decides, writes down, waits as scripted, frees the key, and only then lets the answer go.
    func settle(_ arrival: Endpoints.Arrival, _ body: Result<Submission, Refusal>) -> HTTPAnswer {
        let decision = endpoints.withLock { endpoints -> Endpoints.Decision? in
            let decision = endpoints.decide(arrival, body)
            endpoints.note(decision.request)
            return append("request", decision.request.json, decision.kept) ? decision : nil
        }
        let isStopped = !stopSignal.wait(milliseconds: decision?.delayMilliseconds ?? 0)
        depart(arrival)
        if isStopped { return .drop(.close) }
        guard let decision else {
            return .response(.problem(Refusal(status: 500, code: "record", detail: "The record cannot be written.")))
        }
        return decision.reply.answer
    }

    /// Writes down a request that got no further than its head or the middle of its body, and frees its key.
    func cutOff(_ arrival: Endpoints.Arrival, status: Int, _ problem: String) {
        endpoints.withLock { endpoints in
            let request = endpoints.cutOff(arrival, status: status, problem)
            endpoints.note(request)
            _ = append("request", request.json)
            endpoints.depart(arrival)
        }
    }

    func probe(_ token: String) -> HTTPAnswer {
        let reply = endpoints.withLock { endpoints in
            let (reply, probe) = endpoints.probe(token)
            _ = append("probe", probe.json, [.init("token", .string(token))])
            return reply
        }
        return reply.answer
    }

    /// False when the line could not be written.
    private func append(_ event: String, _ json: SandboxJSON, _ more: [SandboxJSON.Member] = []) -> Bool {
        guard let lines else { return true }
        guard case .object(let members) = json else { return false }
        do throws(HTTPServerError) {
            try lines.append(SandboxJSON.object([.init("event", .string(event))] + members + more).compact)
            return true
        } catch {
            return false
        }
    }
}

extension Endpoints.Reply {
    /// The reply as it goes over the wire.
    var answer: HTTPAnswer {
        switch self {
        case .drop(let isReset): .drop(isReset ? .reset : .close)
        default: .response(response)
        }
    }

    private var response: HTTPResponse {
        switch self {
        case .outcome(let json, let isReplayed): .json(json, headers: Self.replayed(isReplayed))
        case .accepted(let token, let captureID, let retryAfter, let isReplayed):
            .json(
                .object(captureID.map { [.init("capture_id", .string($0))] } ?? []), status: 202,
                headers: Self.accepted(token, retryAfter, isReplayed))
        case .refused(let refusal): .problem(refusal)
        case .status(let status, let headers): .scripted(status, headers)
        case .cutShort(let reply): reply.response.cutShort()
        case .spoilt(let reply, let body): reply.response.spoilt(body)
        case .drop: HTTPResponse(status: 500)
        }
    }

    private static func replayed(_ isReplayed: Bool) -> HTTPHeaders {
        isReplayed ? ["Idempotency-Replayed": "true"] : [:]
    }

    private static func accepted(_ token: String, _ retryAfter: String?, _ isReplayed: Bool) -> HTTPHeaders {
        var headers = replayed(isReplayed)
        headers.add("Location", Routes.status + token)
        if let retryAfter { headers.add("Retry-After", retryAfter) }
        return headers
    }
}
