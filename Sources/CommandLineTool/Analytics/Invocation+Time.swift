import CaptureLedger
import SessionDomain

extension Invocation {
    /// The zone that `--tz` names.
    func timeZone() throws -> NamedTimeZone {
        guard let name = text("tz") else { return .utc }
        return try NamedTimeZone.named(name)
    }

    /// A time as people write it: Unix milliseconds, a day, ISO 8601, or how long ago.
    func time(_ option: String, in zone: NamedTimeZone, now: Int64) throws(Complaint) -> Int64? {
        guard let text = text(option) else { return nil }
        if let time = MomentText.milliseconds(text, in: zone) { return time }
        if text.last?.isLetter == true, let ago = DurationText.milliseconds(text) { return now - ago }
        throw .usage(
            "--\(option) is not a time.",
            remedy: "Write 2026-10-05, 2026-10-05T12:30+03:00, Unix milliseconds, or how long ago, such as 90m or 7d.")
    }

    /// `--since` and `--until`, in their order.
    func span(in zone: NamedTimeZone, now: Int64) throws(Complaint) -> (since: Int64?, until: Int64?) {
        let since = try time("since", in: zone, now: now)
        let until = try time("until", in: zone, now: now)
        if let since, let until, since >= until {
            throw .usage("--since is not before --until.", remedy: "Exchange them; --until is the moment behind the last.")
        }
        return (since, until)
    }
}
