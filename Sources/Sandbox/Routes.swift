import LocalHTTP

/// Which address is what.
struct Routes: Sendable {
    static let verifier = "/verifier"
    static let hologram = "/hologram"
    static let status = "/status/"
    static let control = "/control"

    private static let scenarioLimit = 1024 * 1024

    let desk: Desk

    func plan(_ head: HTTPRequestHead) -> HTTPBodyPlan {
        switch head.path {
        case Self.verifier: only("POST", head) { submission(head, .verifier) }
        case Self.hologram: only("POST", head) { submission(head, .hologram) }
        case Self.control + "/requests": only("GET", head) { answer(desk.record.json) }
        case Self.control + "/health": only("GET", head) { answer(["ok": true]) }
        case Self.control + "/scenario": only("POST", head) { setScenario() }
        case Self.control + "/reset": only("POST", head) { resetting() }
        case let path where path.hasPrefix(Self.status):
            only("GET", head) { .answer(desk.probe(String(path.dropFirst(Self.status.count)))) }
        default: refuse(404, "not_found", "There is nothing at this address.")
        }
    }

    private func submission(_ head: HTTPRequestHead, _ destination: SandboxDestination) -> HTTPBodyPlan {
        let headers = RequestHeaders(head, destination, authorization: desk.requiredAuthorization)
        let (arrival, early) = desk.arrive(destination, headers)
        var dropWhileReading: HTTPDrop?
        if let early {
            if early.delayMilliseconds > 0 { _ = desk.stopSignal.wait(milliseconds: early.delayMilliseconds) }
            switch early.fault {
            case .drop(.beforeReading, let isReset):
                desk.cutOff(arrival, status: 0, "The scenario drops the connection before reading.")
                return .answer(.drop(isReset ? .reset : .close))
            case .status(let status, let fields, _, _):
                desk.cutOff(arrival, status: status, "The scenario answers before reading.")
                return .answer(.response(.scripted(status, fields)))
            case .drop(_, let isReset): dropWhileReading = isReset ? .reset : .close
            case .body, nil: break
            }
        }
        return .stream(SubmissionSink(desk, arrival, head, headers, dropWhileReading: dropWhileReading))
    }

    private func setScenario() -> HTTPBodyPlan {
        .collect(limit: Self.scenarioLimit) { request in
            do throws(SandboxError) {
                let scenario = try SandboxScenario(json: request.body)
                desk.use(scenario)
                return .response(.json(["rules": .integer(scenario.rules.count)]))
            } catch {
                return .response(.problem(Refusal(status: 400, code: error.code.rawValue, detail: error.description)))
            }
        }
    }

    private func resetting() -> HTTPBodyPlan {
        .collect(limit: Self.scenarioLimit) { _ in
            desk.reset()
            return .response(.json(["ok": true]))
        }
    }

    private func answer(_ json: SandboxJSON) -> HTTPBodyPlan { .answer(.response(.json(json))) }

    private func refuse(_ status: Int, _ code: String, _ detail: String) -> HTTPBodyPlan {
        .answer(.response(.problem(Refusal(status: status, code: code, detail: detail))))
    }

    private func only(_ method: String, _ head: HTTPRequestHead, _ plan: () -> HTTPBodyPlan) -> HTTPBodyPlan {
        head.method == method ? plan() : refuse(405, "method_not_allowed", "This address takes \(method) only.")
    }
}
