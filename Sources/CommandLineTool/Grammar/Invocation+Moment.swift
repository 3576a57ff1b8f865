import CaptureLedger
import SystemCalls

extension Invocation {
    /// A moment: Unix milliseconds, ISO 8601 with its zone, or how long ago, such as `90m` and `2d`.
    func moment(_ option: String, now: Int64 = SystemClock.realtimeMilliseconds()) throws(Complaint) -> Int64? {
        guard let text = text(option)?.trimmed else { return nil }
        if let milliseconds = Int64(text), milliseconds >= 0 { return milliseconds }
        if let milliseconds = TimeText.milliseconds(text) { return milliseconds }
        if let ago = DurationText.milliseconds(text), text.last?.isLetter == true { return now - ago }
        throw .usage(
            "--\(option) is not a time.",
            remedy: TimeText.lacksZone(text)
                ? "Say the zone too, such as --\(option) \(text)Z for UTC or +03:00."
                : "Write it such as 2026-11-30T06:05:59Z, in Unix milliseconds, or how long ago, such as 90m or 2d.")
    }
}
