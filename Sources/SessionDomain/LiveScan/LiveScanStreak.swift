/// Counts good frames until they are enough, and keeps the best of them. Both live scans are this, with different verdicts.
struct LiveScanStreak: Sendable, Hashable {
    let policy: LiveScanPolicy
    private let startedAt: Int64
    private(set) var count = 0
    /// Of this streak.
    private(set) var best: Best?
    private(set) var captured: Int?
    private var beganAt: Int64 = 0
    private var badInARow = 0
    /// Of this streak's newest frames, at most ``LiveScanPolicy/averagedFrames``; a bad frame's is 0.
    private var scores: [Double] = []
    private var lookedAt: Int64?
    private var sightedAt: Int64?
    private var guidance = LiveScanGuidance()

    struct Best: Sendable, Hashable {
        let number: Int
        let score: Double
    }

    init(_ policy: LiveScanPolicy, startedAt: Int64) {
        self.policy = policy
        self.startedAt = max(0, startedAt)
    }

    /// Whether a frame of this time would be looked at.
    func wants(_ time: Int64) -> Bool {
        guard captured == nil, time >= startedAt, time - startedAt >= policy.warmUpMilliseconds else { return false }
        guard let lookedAt else { return true }
        return time > lookedAt && time - lookedAt >= policy.sampleMilliseconds
    }

    /// Whether what was remembered until then still holds at this time: false after a gap without frames.
    func continues(at time: Int64) -> Bool {
        guard let lookedAt else { return true }
        return time - lookedAt <= policy.gapMilliseconds
    }

    mutating func take(_ verdict: LiveScanVerdict, frame: Int, at time: Int64) -> LiveScanAction {
        guard wants(time) else { return .skipped }
        if !continues(at: time) { end() }
        lookedAt = time
        switch verdict {
        case .unknown:
            end()
            return .waiting
        case .lost(let hint):
            miss()
            if isLost(at: time) { end() }
            return guidance.action(hint, at: time, policy)
        case .bad(let hint):
            sightedAt = time
            miss()
            return guidance.action(hint, at: time, policy)
        case .spoiling(let hint):
            sightedAt = time
            end()
            return guidance.action(hint, at: time, policy)
        case .good(let score):
            sightedAt = time
            add(score > 0 ? min(score, 1) : 0, frame, at: time)
            guard let best, count >= policy.streak, time - beganAt >= policy.holdMilliseconds, isGoodOnAverage else {
                return guidance.action(.holdStill, at: time, policy)
            }
            captured = best.number
            return .capture(frame: best.number)
        }
    }

    /// Whether document or face was away for so long that what was remembered of it is void.
    func isLost(at time: Int64) -> Bool {
        guard let sightedAt else { return true }
        return time - sightedAt > policy.lostMilliseconds
    }

    private mutating func add(_ score: Double, _ frame: Int, at time: Int64) {
        badInARow = 0
        if count == 0 { beganAt = time }
        count += 1
        note(score)
        // of equal ones the first stays: it was there when the user held still
        if best.map({ score > $0.score }) ?? true { best = Best(number: frame, score: score) }
    }

    private mutating func miss() {
        guard count > 0 else { return }
        badInARow += 1
        note(0)
        if badInARow >= policy.badFrames { end() }
    }

    private mutating func note(_ score: Double) {
        scores.append(score)
        if scores.count > max(1, policy.averagedFrames) { scores.removeFirst() }
    }

    private mutating func end() {
        count = 0
        best = nil
        badInARow = 0
        scores = []
    }

    private var isGoodOnAverage: Bool { scores.reduce(0, +) >= policy.averageScore * Double(scores.count) }
}
