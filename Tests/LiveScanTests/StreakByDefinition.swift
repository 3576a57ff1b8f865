import SessionDomain

/// What one frame showed, for tests: the kinds that make a difference to a passport's streak.
enum Shown: CaseIterable {
    case nothingKnown, noDocument, fingers, glare, blurred, good, better
}

/// What a streak is, said from the whole history instead of from frame to frame: slow, and written without looking at the machine.
struct StreakByDefinition {
    struct Look {
        let number: Int
        let time: Int64
        let shown: Shown

        var score: Double { shown == .better ? 0.9 : shown == .good ? 0.6 : 0 }
        var isGood: Bool { shown == .good || shown == .better }
        /// The page was seen, good or bad.
        var isSight: Bool { isGood || shown == .fingers || shown == .glare || shown == .blurred }
    }

    let policy: LiveScanPolicy
    /// Only the frames that count: warm-up and frames too soon are left out before.
    let looks: [Look]

    /// The frames since the streak was last ended, the newest last.
    private var current: ArraySlice<Look> {
        var start = 0
        for index in looks.indices where ends(at: index, start: start) { start = index + 1 }
        // a gap ends what was before the frame, not the frame
        for index in looks.indices.dropFirst() where looks[index].time - looks[index - 1].time > policy.gapMilliseconds {
            start = max(start, index)
        }
        return looks[start...]
    }

    private func ends(at index: Int, start: Int) -> Bool {
        let look = looks[index]
        if look.shown == .nothingKnown || look.shown == .blurred { return true }
        if look.isGood { return false }
        if look.shown == .noDocument {
            guard let sight = looks[..<index].last(where: \.isSight) else { return true }
            if look.time - sight.time > policy.lostMilliseconds { return true }
        }
        let sinceGood = looks[...index].reversed().prefix { !$0.isGood }.count
        return sinceGood >= policy.badFrames
    }

    private var counted: ArraySlice<Look> { current.drop { !$0.isGood } }

    var length: Int { counted.count { $0.isGood } }

    var best: Int? {
        let top = counted.map(\.score).max()
        return counted.first { $0.isGood && $0.score == top }?.number
    }

    /// Whether the newest frame completes the streak.
    var isComplete: Bool {
        guard let first = counted.first, let last = counted.last, last.isGood, length >= policy.streak else { return false }
        let newest = counted.suffix(max(1, policy.averagedFrames)).map(\.score)
        return last.time - first.time >= policy.holdMilliseconds
            && newest.reduce(0, +) >= policy.averageScore * Double(newest.count)
    }
}

extension PassportFrame {
    init(_ number: Int, _ time: Int64, _ shown: Shown) {
        self.init(number: number, timeMilliseconds: time)
        if shown == .nothingKnown { return }
        hasDocument = shown != .noDocument
        guard shown != .noDocument else { return }
        isClearOfFingers = shown != .fingers
        guard shown != .fingers else { return }
        isClearOfGlare = shown != .glare
        guard shown != .glare else { return }
        isSharp = shown != .blurred
        score = shown == .better ? 0.9 : shown == .good ? 0.6 : 0
    }
}
