import MediaChecks
import TestSupport
import Testing

@Suite struct SuppressionTests {
    private let large = PixelBox(x0: 0, y0: 0, x1: 100, y1: 100)
    private let half = PixelBox(x0: 0, y0: 0, x1: 100, y1: 50)

    private func pair(_ other: Int) -> [Candidate] {
        [
            Candidate(classIndex: 0, score: 0.9, box: large, index: 0),
            Candidate(classIndex: other, score: 0.8, box: half, index: 1),
        ]
    }

    @Test func `K26 an overlap of one half is a double at 0.45 and none at 0.7`() {
        #expect(large.overlap(half) == 0.5)
        #expect(NonMaximumSuppression.keep(pair(0), overlap: 0.7, limit: 300).count == 2)
        #expect(NonMaximumSuppression.keep(pair(0), overlap: 0.45, limit: 300).map(\.score) == [0.9])
        #expect(NonMaximumSuppression.keep(pair(0), overlap: 0.5, limit: 300).count == 2)
    }

    @Test func `K24 K26 boxes of different classes are never doubles`() {
        #expect(NonMaximumSuppression.keep(pair(1), overlap: 0.45, limit: 300).count == 2)
    }

    @Test func `K24 of equal scores the earlier place wins, whatever the order`() {
        let equal = (0..<6).map { Candidate(classIndex: 0, score: 0.5, box: large, index: $0) }
        #expect(NonMaximumSuppression.keep(equal.reversed(), overlap: 0.45, limit: 300).map(\.index) == [0])
        let apart = (0..<6).map { index in
            Candidate(
                classIndex: 0, score: 0.5, box: PixelBox(centreX: Double(200 * index), centreY: 0, width: 10, height: 10),
                index: index)
        }
        #expect(NonMaximumSuppression.keep(apart.reversed(), overlap: 0.45, limit: 4).map(\.index) == [0, 1, 2, 3])
    }

    @Test func `what is kept is best first, apart from each other, and covers all that went`() {
        for seed in SeededRandom.seeds(for: "suppression") {
            var random = SeededRandom(seed: seed)
            for _ in 0..<40 { check(&random) }
        }
    }

    private func check(_ random: inout SeededRandom) {
        let overlap = Double.random(in: 0...0.9, using: &random)
        let candidates = (0..<Int.random(in: 0...40, using: &random)).map { index in
            Candidate(
                classIndex: Int.random(in: 0...2, using: &random), score: Double(Int.random(in: 1...10, using: &random)) / 10,
                box: PixelBox(
                    centreX: Double.random(in: 0...100, using: &random), centreY: Double.random(in: 0...100, using: &random),
                    width: Double.random(in: 2...80, using: &random), height: Double.random(in: 2...80, using: &random)),
                index: index)
        }
        let kept = NonMaximumSuppression.keep(candidates, overlap: overlap, limit: 300)
        #expect(kept == NonMaximumSuppression.keep(candidates.shuffled(using: &random), overlap: overlap, limit: 300))
        #expect(kept == NonMaximumSuppression.keep(kept, overlap: overlap, limit: 300))
        #expect(kept.map(\.score) == kept.map(\.score).sorted(by: >))
        for (place, one) in kept.enumerated() {
            for other in kept[(place + 1)...] where other.classIndex == one.classIndex {
                #expect(one.box.overlap(other.box) <= overlap)
            }
        }
        for gone in candidates where !kept.contains(gone) {
            #expect(
                kept.contains {
                    $0.classIndex == gone.classIndex && Candidate.precedes($0, gone) && $0.box.overlap(gone.box) > overlap
                })
        }
    }

    @Test func `a hostile number of candidates costs a bounded amount of work`() {
        let candidates = (0..<8400).map { index in
            Candidate(
                classIndex: index % 7, score: 0.5,
                box: PixelBox(centreX: Double(index % 97) * 9, centreY: Double(index / 97) * 9, width: 8, height: 8),
                index: index)
        }
        #expect(NonMaximumSuppression.keep(candidates, overlap: 0.5, limit: 300).count == 300)
        #expect(NonMaximumSuppression.keep(candidates, overlap: 0.5, limit: 9000).count == NonMaximumSuppression.considered)
    }
}
