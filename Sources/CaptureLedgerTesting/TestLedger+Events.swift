public import CaptureLedger

extension TestLedger {
    /// The events of a session as short texts, such as `piece_captured passport_front`, in the order of the log.
    public func events(of flow: CaptureFlow) async throws(LedgerError) -> [String] {
        let (ledger, id) = (ledger, flow.sessionID)
        let result = await Task.detached { () -> Result<[String], LedgerError> in
            do throws(LedgerError) {
                var (found, position): ([String], Int64) = ([], 0)
                while true {
                    let page = try ledger.events(after: position)
                    guard let last = page.last else { return .success(found) }
                    found += page.filter { $0.session.text == id }.map {
                        [$0.type, $0.piece].compactMap(\.self).joined(separator: " ")
                    }
                    position = last.position
                }
            } catch { return .failure(error) }
        }.value
        return try result.get()
    }

    /// Fails, with both lists side by side, unless the session's events are exactly these.
    ///
    /// - Throws: ``EventMismatch``, which any test library shows as it is.
    public func expect(_ expected: [String], of flow: CaptureFlow) async throws {
        let found = try await events(of: flow)
        guard found != expected else { return }
        throw EventMismatch(expected: expected, found: found)
    }
}

/// The log of a session is not what a test expects.
public struct EventMismatch: Error, CustomStringConvertible {
    public let expected: [String]
    public let found: [String]

    public var description: String {
        var lines = ["The session's events differ from what was expected:"]
        for index in 0..<max(expected.count, found.count) {
            let (left, right) = (index < expected.count ? expected[index] : "—", index < found.count ? found[index] : "—")
            lines.append(left == right ? "    \(left)" : "  ! expected \(left), found \(right)")
        }
        return lines.joined(separator: "\n")
    }
}
