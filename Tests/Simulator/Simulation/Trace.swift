/// What happened, a line a step, in words that are the same on every machine; without text, a digest of the same steps.
struct Trace {
    private(set) var text = ""
    private(set) var steps = 0
    /// FNV-1a over every step: two runs of a seed give the same.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    let isKept: Bool

    init(isKept: Bool) { self.isKept = isKept }

    mutating func add(_ time: Int64, _ code: UInt64, _ line: @autoclosure () -> String) {
        steps += 1
        for word in [UInt64(bitPattern: time), code] { digest = (digest ^ word) &* 0x0000_0100_0000_01B3 }
        guard isKept else { return }
        text += Self.stamp(time)
        text += " "
        text += line()
        text += "\n"
    }

    /// Days and time of day since the world began, such as `1 07:05:12.042`.
    static func stamp(_ time: Int64) -> String {
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let days = time / 86_400_000
        let hours = time / 3_600_000 % 24
        let minutes = padded(time / 60_000 % 60, 2)
        return "\(days) \(padded(hours, 2)):\(minutes):\(padded(time / 1_000 % 60, 2)).\(padded(time % 1_000, 3))"
    }
}
