import SessionDomain

/// A moment as people write it.
package enum MomentText {
    /// Milliseconds since 1970, a day (`2026-10-05`: when it begins), or a time as ``TimeText`` reads it (`2026-10-05T12:30`, with seconds,
    /// milliseconds, and `Z`, `+03:00` or nothing behind it).
    ///
    /// - Parameter zone: whose clock is meant where the text names none.
    /// - Returns: milliseconds since 1970; nil for anything else.
    package static func milliseconds(_ text: String, in zone: NamedTimeZone = .utc) -> Int64? {
        if let number = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return number }
        if let day = CivilDay(text) { return zone.start(of: day) }
        return TimeText.milliseconds(text, in: zone)
    }
}
