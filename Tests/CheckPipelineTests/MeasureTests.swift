import MediaChecks
import Testing

@Suite struct MeasureTests {
    private func grey(_ width: Int, _ height: Int, _ level: (Int, Int) -> UInt8) -> Luma {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let value = level(x, y)
                bytes += [value, value, value]
            }
        }
        return Luma(RGBImage(width: width, height: height, bytes: bytes))
    }

    @Test func `K4 K5 luma is BT.601, exactly`() {
        func mean(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
            Luma(RGBImage(width: 1, height: 1, bytes: [red, green, blue])).mean
        }
        #expect(mean(255, 255, 255) == 255 && mean(0, 0, 0) == 0 && mean(100, 100, 100) == 100)
        #expect(abs(mean(255, 0, 0) - 0.299 * 255) < 0.01 && abs(mean(0, 255, 0) - 0.587 * 255) < 0.01)
        #expect(abs(mean(0, 0, 255) - 0.114 * 255) < 0.01)
        #expect(grey(4, 4) { x, _ in x < 2 ? 0 : 200 }.mean == 100)
    }

    @Test func `K3 the share of bright pixels counts from its level on`() {
        let luma = grey(10, 10) { x, y in y == 0 ? (x < 5 ? 241 : 240) : 20 }
        #expect(luma.share(atLeast: 241) == 0.05 && luma.share(atLeast: 240) == 0.1)
        #expect(luma.share(atMost: 20) == 0.9 && luma.share(atMost: 19) == 0)
    }

    @Test func `K2 the variance of the Laplacian is exact on images of known answer`() {
        #expect(LaplacianVariance.of(grey(9, 9) { _, _ in 130 }) == 0)
        // a slope has no second derivative
        #expect(LaplacianVariance.of(grey(9, 7) { x, y in UInt8(10 * x + 5 * y) }) == 0)
        // one bright pixel in 5 x 5: of nine inner pixels one has -4·100 and four have 100: mean 0, mean square (160000 +
        // 40000) / 9
        #expect(abs(LaplacianVariance.of(grey(5, 5) { x, y in x == 2 && y == 2 ? 100 : 0 }) - 200_000.0 / 9) < 1e-9)
        // a chessboard of 0 and 10: every inner pixel has 40 or -40, eight of one sign and eight of the other
        #expect(LaplacianVariance.of(grey(6, 6) { x, y in (x + y) % 2 == 0 ? 0 : 10 }) == 1600)
        #expect(LaplacianVariance.of(grey(2, 9) { _, _ in 3 }) == 0)
    }

    @Test func `K6 the luminance mean gives nearly 100 at 0.5 and 50 at 0.2`() {
        #expect(FaceQuality.luminanceMean(0.5) > 99 && FaceQuality.luminanceMean(0.5) <= 100)
        #expect(abs(FaceQuality.luminanceMean(0.2) - 50) < 0.01 && abs(FaceQuality.luminanceMean(0.8) - 50) < 0.01)
        #expect(FaceQuality.luminanceMean(0) < 2)
    }

    @Test func `K7 exposure gives 100 without such pixels and 10 at nine hundredths`() {
        #expect(FaceQuality.exposure(0) == 100 && FaceQuality.exposure(0.09) == 10 && FaceQuality.exposure(1) == 1)
    }

    @Test func `K8 eight bits of entropy give 100 and four give 50`() {
        #expect(FaceQuality.entropy([Int](repeating: 3, count: 256)) == 8)
        #expect(FaceQuality.dynamicRange(bits: 8) == 100 && FaceQuality.dynamicRange(bits: 4) == 50)
        #expect(FaceQuality.entropy([7]) == 0 && FaceQuality.entropy([]) == 0 && FaceQuality.entropy([1, 1]) == 1)
        #expect(grey(16, 16) { x, y in UInt8(16 * y + x) }.histogram == [Int](repeating: 1, count: 256))
    }

    @Test func `K9 an angle of 30 degrees gives 75 and of 45 gives 50`() {
        #expect(abs(FaceQuality.pose(degrees: 30) - 75) < 1e-9 && abs(FaceQuality.pose(degrees: -45) - 50) < 1e-9)
        #expect(FaceQuality.pose(degrees: 0) == 100 && FaceQuality.pose(degrees: 120) == 0)
    }

    @Test func `K12 an eye distance of 70 pixels gives 50 and of 90 gives 73`() {
        #expect(FaceQuality.eyeDistance(70) == 50 && FaceQuality.eyeDistance(90).rounded() == 73)
    }

    @Test func `K13 a head of 0.45 of the height is best, and both sides fall alike`() {
        #expect(FaceQuality.headSize(0.45) == 100)
        #expect(abs(FaceQuality.headSize(0.50) - 53.788) < 0.001)
        #expect(abs(FaceQuality.headSize(0.40) - FaceQuality.headSize(0.50)) < 1e-9 && FaceQuality.headSize(0.1) < 1)
    }
}
