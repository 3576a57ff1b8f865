extension SandboxScenario.Fault {
    /// Whether the submission is taken in although its answer is spoilt.
    var keepsSubmission: Bool {
        switch self {
        case .drop(let drop, _): drop == .afterStoring || drop == .whileAnswering
        case .status(_, _, let isStored, _), .body(_, let isStored): isStored
        }
    }
}

extension Endpoints.Reply {
    func spoilt(by fault: SandboxScenario.Fault?) -> Self {
        switch fault {
        case nil: self
        case .drop(.whileAnswering, _): .cutShort(self)
        case .drop(_, let isReset): .drop(isReset: isReset)
        case .status(let status, let headers, _, _): .status(status, headers)
        case .body(let body, _): .spoilt(self, body)
        }
    }

    /// What the client reads in the status line; 0 when there is none.
    var status: Int {
        switch self {
        case .outcome, .spoilt: 200
        case .accepted: 202
        case .refused(let refusal): refusal.status
        case .status(let status, _): status
        case .drop: 0
        case .cutShort(let reply): reply.status
        }
    }
}
