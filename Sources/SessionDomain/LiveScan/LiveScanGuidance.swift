/// Lets few of many hints through (S65).
struct LiveScanGuidance: Sendable, Hashable {
    private var last: LiveScanHint?
    private var lastAt: Int64 = 0

    /// - Returns: the hint as an action where it is due, else ``LiveScanAction/waiting``.
    mutating func action(_ hint: LiveScanHint, at time: Int64, _ policy: LiveScanPolicy) -> LiveScanAction {
        if let last {
            let since = time - lastAt
            guard since >= policy.guidanceMilliseconds, hint != last || since >= policy.guidanceRepeatMilliseconds else {
                return .waiting
            }
        }
        last = hint
        lastAt = time
        return .guide(hint)
    }
}
