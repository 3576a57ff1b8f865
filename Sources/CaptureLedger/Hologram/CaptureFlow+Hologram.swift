import SessionDomain

extension CaptureFlow {
    /// - Returns: the types of the events that were appended.
    func observe(_ observations: [Observation]) async throws(LedgerError) -> [String] {
        let label = JSONValue.array(observations.map(\.json)).canonical
        let receipt = try await perform(.observe(observations), "observe", [.init("what", .string(label))], nil)
        guard let first = receipt.positions.first else { return [] }
        let (ledger, count) = (ledger, receipt.positions.count)
        return try await ledger.hosting.work.run { () throws(LedgerError) in
            try ledger.events(after: first - 1, limit: count).map(\.type)
        }
    }

    func startRecording() async throws(LedgerError) { try await perform(.startHologramRecording, "hologram_start", [], nil) }

    func cancelRecording(_ cause: RecordingEnd) async throws(LedgerError) {
        try await perform(
            .cancelHologramRecording(cause: cause), "hologram_cancel", [.init("cause", .string(cause.rawValue))], nil)
    }
}
