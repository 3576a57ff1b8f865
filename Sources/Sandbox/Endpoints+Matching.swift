extension Endpoints {
    /// What a key is remembered under: each destination is a server of its own.
    func name(_ arrival: Arrival, _ key: String) -> String { "\(arrival.destination.rawValue) \(key)" }

    /// Counts one more and says how many there were with it.
    mutating func count(_ scope: String) -> Int {
        counters[scope, default: 0] += 1
        return counters[scope, default: 0]
    }

    func matches(
        _ match: SandboxScenario.Match, _ arrival: Arrival, _ submission: Submission?, _ numbers: [SandboxScenario.Scope: Int]
    ) -> Bool {
        if let destination = match.destination, destination != arrival.destination { return false }
        if let piece = match.piece, piece != submission?.piece { return false }
        if let session = match.sessionID, session != submission?.sessionID { return false }
        if let capture = match.captureID, capture != submission?.captureID { return false }
        guard let nth = match.nth else { return true }
        let number =
            switch match.scope {
            case .request: arrival.requestNumber
            case .key: arrival.keyNumber
            case .piece, .session, .capture: numbers[match.scope] ?? 0
            }
        return nth.contains(number)
    }
}
