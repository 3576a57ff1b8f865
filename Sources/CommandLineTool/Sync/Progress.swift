import SessionDomain

/// How far a run is, in deliveries and in bytes.
struct Progress {
    /// What a terminal can show.
    struct Style: Hashable {
        var hasColor = false
        var hasBlocks = false

        init() {}

        /// See no-color.org; blocks need a terminal that reads UTF-8.
        init(_ environment: [String: String]) {
            hasColor = environment["NO_COLOR", default: ""].isEmpty
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
            hasBlocks = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        }
    }

    let startedNanoseconds: Int64
    /// Deliveries that waited when it began.
    var expected = 0
    /// Of originals, handed over so far.
    var bytes: Int64 = 0
    private var sizes: [DeliveryID: Int64] = [:]
    private var done = 0
    private var putOff: Set<DeliveryID> = []

    init(startedNanoseconds: Int64) { self.startedNanoseconds = startedNanoseconds }

    mutating func begin(_ id: DeliveryID, bytes: Int64) { sizes[id] = bytes }
    mutating func end(_ id: DeliveryID) {
        putOff.remove(id)
        done += 1
    }
    mutating func putOff(_ id: DeliveryID) { putOff.insert(id) }

    private var total: Int { max(expected, done + putOff.count) }

    /// Of all that wait: what is known, and for the rest as much as the known ones have on average.
    private var expectedBytes: Int64 {
        guard !sizes.isEmpty else { return 0 }
        let known = sizes.values.reduce(0, +)
        return max(bytes, known / Int64(sizes.count) * Int64(max(total, sizes.count)))
    }

    /// Between 0 and 1: the bytes, or the deliveries where that says more.
    var fraction: Double {
        guard total > 0 else { return 0 }
        let byCount = Double(done + putOff.count) / Double(total)
        let byBytes = expectedBytes > 0 ? Double(bytes) / Double(expectedBytes) : 0
        return min(1, max(byCount, byBytes))
    }

    /// One line that fits.
    func line(columns: Int, nowNanoseconds: Int64, style: Style) -> String {
        let seconds = Double(nowNanoseconds - startedNanoseconds) / 1e9
        var parts = ["\(done)/\(total)"]
        if expectedBytes > 0 { parts.append("\(Words.bytes(bytes)) of \(Words.bytes(expectedBytes))") }
        if bytes > 0, seconds > 0.5 { parts.append("\(Words.bytes(Int64(Double(bytes) / seconds)))/s") }
        if let left = secondsLeft(after: seconds) { parts.append("\(Words.duration(Int64(left * 1000))) left") }
        if !putOff.isEmpty { parts.append("\(putOff.count) to be tried again") }
        while parts.count > 1, parts.joined(separator: "  ").count + 16 > columns { parts.removeLast() }
        let text = parts.joined(separator: "  ")
        // the last column stays free: some terminals wrap when it is written
        let width = min(30, columns - text.count - 5)
        guard width >= 5 else { return String(text.prefix(max(0, columns - 1))) }
        return bar(width, style) + " " + text
    }

    private func secondsLeft(after seconds: Double) -> Double? {
        guard seconds >= 1, fraction > 0.01, fraction < 1 else { return nil }
        return seconds * (1 - fraction) / fraction
    }

    private func bar(_ width: Int, _ style: Style) -> String {
        let filled = Int((Double(width) * fraction).rounded(.down))
        let (on, off) = style.hasBlocks ? ("█", "░") : ("#", "-")
        let text = String(repeating: on, count: filled) + String(repeating: off, count: width - filled)
        return style.hasColor ? "[\u{1B}[32m\(text)\u{1B}[0m]" : "[\(text)]"
    }
}
