extension TimeText {
    /// `2026-11-30 06:05:59 UTC`
    package static func utc(_ milliseconds: Int64) -> String {
        let text = text(milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}
