import MediaChecks
import TestSupport
import Testing

@Suite struct LetterboxTests {
    @Test func `K21 a picture of 1000 x 601 becomes 640 x 385 with 127 pixels above and 128 below`() {
        let geometry = LetterboxGeometry(width: 1000, height: 601, side: 640)
        #expect(geometry.contentWidth == 640 && geometry.contentHeight == 385)
        #expect(geometry.top == 127 && geometry.bottom == 128 && geometry.left == 0 && geometry.right == 0)
    }

    @Test func `K21 half a pixel is rounded to the even side`() {
        let geometry = LetterboxGeometry(width: 1280, height: 721, side: 640)
        #expect(geometry.contentHeight == 360 && geometry.top == 140 && geometry.bottom == 140)
        #expect(LetterboxGeometry(width: 1280, height: 723, side: 640).contentHeight == 362)
    }

    @Test func `K21 the padding is grey 114`() { #expect(LetterboxGeometry.padding == 114) }

    @Test func `the thinnest picture keeps one pixel and the side is always filled`() {
        let geometry = LetterboxGeometry(width: 30_000, height: 1, side: 320)
        #expect(geometry.contentHeight == 1 && geometry.top + geometry.bottom == 319)
        let one = LetterboxGeometry(width: 1, height: 1, side: 1)
        #expect(one.contentWidth == 1 && one.left == 0 && one.right == 0)
    }

    @Test func `F27 the way back uses the padding that there is: any place returns within a billionth`() {
        for seed in SeededRandom.seeds(for: "letterbox inverse") {
            var random = SeededRandom(seed: seed)
            for _ in 0..<2000 {
                let (width, height) = (Int.random(in: 1...9000, using: &random), Int.random(in: 1...9000, using: &random))
                let side = [128, 192, 320, 640].randomElement(using: &random) ?? 320
                let geometry = LetterboxGeometry(width: width, height: height, side: side)
                #expect(max(geometry.contentWidth, geometry.contentHeight) == side)
                #expect(geometry.left >= 0 && geometry.top >= 0 && geometry.right - geometry.left <= 1)
                #expect(
                    geometry.bottom - geometry.top <= 1 && geometry.bottom >= geometry.top && geometry.right >= geometry.left)
                let x = Double.random(in: 0...1, using: &random)
                let y = Double.random(in: 0...1, using: &random)
                let there = geometry.forward(x: x * Double(width), y: y * Double(height))
                let back = geometry.inverse(x: there.x, y: there.y)
                let apart = max(
                    abs(back.x - x * Double(width)) / Double(width), abs(back.y - y * Double(height)) / Double(height))
                #expect(apart < 1e-9, "\(width) x \(height) in \(side)")
            }
        }
    }

    @Test func `the corners of a picture lie on the corners of its content`() {
        let geometry = LetterboxGeometry(width: 1000, height: 601, side: 640)
        let end = geometry.inverse(x: 640, y: 127 + 385)
        #expect(abs(end.x - 1000) < 1e-9 && abs(end.y - 601) < 1e-9)
    }
}
