import MediaChecks
import TestSupport
import Testing

@Suite struct YOLOTests {
    /// K25: one anchor at 320, 320 of size 200 x 100.
    private let anchor = Anchor(box: (320, 320, 200, 100), scores: [0, 0.9, 0])

    @Test(arguments: YOLOSamples.Layout.allCases, [true, false])
    func `F27 K22 K25 both layouts and both units give the same box`(layout: YOLOSamples.Layout, normalized: Bool) throws {
        let output = YOLOSamples.output([anchor], classes: 3, side: 640, layout: layout, normalized: normalized)
        let candidates = try YOLOOutput(output, classes: 3).candidates(
            width: 640, height: 640, normalized: normalized, floor: 0.25)
        let candidate = try #require(candidates.first)
        #expect(candidates.count == 1 && candidate.classIndex == 1 && abs(candidate.score - 0.9) < 1e-6)
        let box = LetterboxGeometry(width: 1280, height: 720, side: 640).inverse(candidate.box)
        for (found, wanted) in zip([box.x0, box.y0, box.x1, box.y1], [440.0, 260, 840, 460]) {
            #expect(abs(found - wanted) < 1e-3)
        }
    }

    @Test func `K25 the same anchor in fractions is 0.5, 0.5, 0.3125, 0.15625`() {
        let output = YOLOSamples.output([anchor], classes: 3, side: 640, count: 1, layout: .anchorsFirst)
        #expect(Array(output.values.prefix(4)) == [0.5, 0.5, 0.3125, 0.15625])
    }

    @Test(arguments: [[7, 40], [1, 40], [1, 8, 40], [1, 40, 8], [2, 7, 40], [1, 1, 7, 40], [1, 7, 0], [0], []])
    func `F27 a shape that fits neither layout is a typed error`(shape: [Int]) {
        let tensor = FloatTensor(shape: shape, values: [Float](repeating: 0.5, count: shape.reduce(1, *)))
        let fault = #expect(throws: ModelFault.self) { try YOLOOutput(tensor, classes: 3) }
        #expect(fault?.code == .wrongShape)
    }

    @Test func `a square output is read as channels first`() throws {
        var values = [Float](repeating: 0, count: 49)
        for (channel, value) in [Float(0.5), 0.5, 0.5, 0.5, 0, 0.8, 0].enumerated() { values[channel * 7] = value }
        let candidates = try YOLOOutput(FloatTensor(shape: [1, 7, 7], values: values), classes: 3).candidates(
            width: 320, height: 320, normalized: true, floor: 0.25)
        #expect(candidates.map(\.classIndex) == [1])
    }

    @Test func `boxes in pixels that are read as fractions, and the other way round, are no boxes`() throws {
        let pixels = YOLOSamples.output([anchor], classes: 3, side: 640, normalized: false)
        let fractions = YOLOSamples.output([anchor], classes: 3, side: 640, normalized: true)
        func count(_ tensor: FloatTensor, _ normalized: Bool) throws -> Int {
            try YOLOOutput(tensor, classes: 3).candidates(width: 640, height: 640, normalized: normalized, floor: 0.25).count
        }
        #expect(try count(pixels, true) == 0 && count(fractions, false) == 0)
    }

    @Test func `hostile numbers are left out, and the sound anchor beside them stays`() throws {
        let bad: [Double] = [.nan, .infinity, -.infinity, 1e30, -1e30]
        var anchors = bad.flatMap { number in
            [
                Anchor(box: (number, 320, 200, 100), scores: [0, 0.95, 0]),
                Anchor(box: (320, 320, number, 100), scores: [0, 0.95, 0]),
            ]
        }
        for number in [Double.nan, .infinity, 1.5, 1e30] {
            anchors.append(Anchor(box: (320, 320, 200, 100), scores: [0, number, 0.99]))
        }
        anchors.append(Anchor(box: (320, 320, -200, 100), scores: [0, 0.95, 0]))
        anchors.append(Anchor(box: (9000, 320, 200, 100), scores: [0, 0.95, 0]))
        let output = YOLOSamples.output(anchors + [anchor], classes: 3, side: 640)
        let candidates = try YOLOOutput(output, classes: 3).candidates(width: 640, height: 640, normalized: true, floor: 0.25)
        #expect(candidates.map(\.index) == [anchors.count])
    }

    @Test func `random outputs never crash, and what they give lies in the input`() throws {
        for seed in SeededRandom.seeds(for: "random detector outputs") {
            var random = SeededRandom(seed: seed)
            for _ in 0..<60 {
                let classes = Int.random(in: 1...8, using: &random)
                let anchors = Int.random(in: 1...60, using: &random)
                let values = (0..<((4 + classes) * anchors)).map { _ in Self.number(&random) }
                let shape = Bool.random(using: &random) ? [1, 4 + classes, anchors] : [1, anchors, 4 + classes]
                let candidates = try YOLOOutput(FloatTensor(shape: shape, values: values), classes: classes).candidates(
                    width: 320, height: 320, normalized: Bool.random(using: &random), floor: 0.1)
                for candidate in candidates {
                    #expect((0.1...1).contains(candidate.score.toMillionths) && (0..<classes).contains(candidate.classIndex))
                    #expect(
                        candidate.box.x0 >= 0 && candidate.box.x1 <= 320 && candidate.box.y0 >= 0 && candidate.box.y1 <= 320)
                    #expect(candidate.box.area > 0)
                }
                _ = NonMaximumSuppression.keep(candidates, overlap: 0.5, limit: 300)
            }
        }
    }

    private static func number(_ random: inout SeededRandom) -> Float {
        if random.one(in: 12) { return [.nan, .infinity, -.infinity, 1e38, -1e38, 0].randomElement(using: &random) ?? 0 }
        return Float.random(in: -0.2...1.1, using: &random) * (random.one(in: 4) ? 320 : 1)
    }
}
