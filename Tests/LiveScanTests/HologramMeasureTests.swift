import MediaChecks
import Testing

@Suite struct HologramMeasureTests {
    private static func image(_ pixels: [(UInt8, UInt8, UInt8)], width: Int) -> RGBImage {
        RGBImage(width: width, height: pixels.count / width, bytes: pixels.flatMap { [$0.0, $0.1, $0.2] })
    }

    /// Two cells whose mean is grey in every frame, so that the grey-world rule changes nothing.
    private static func measure(
        _ frames: [[(UInt8, UInt8, UInt8)]], _ change: (inout HologramMeasure.Limits) -> Void = { _ in }
    )
        -> HologramMeasure
    {
        var limits = HologramMeasure.Limits()
        change(&limits)
        var measure = HologramMeasure(width: 2, height: 1, limits: limits)
        for (index, frame) in frames.enumerated() {
            measure.add(image(frame, width: 2), atMilliseconds: Int64(index) * 200)
        }
        return measure
    }

    private static let red: (UInt8, UInt8, UInt8) = (200, 100, 100)
    private static let cyan: (UInt8, UInt8, UInt8) = (100, 200, 200)

    @Test func `K30 opposite hues cancel out and one hue does not, after five frames and not before`() {
        let changing = (0..<6).map { $0.isMultiple(of: 2) ? [Self.red, Self.cyan] : [Self.cyan, Self.red] }
        #expect(Self.measure(Array(changing.prefix(4))).share == nil)
        #expect(Self.measure(changing).share == 1)
        let still = Array(repeating: [Self.red, Self.cyan], count: 6)
        #expect(Self.measure(still).share == 0)
    }

    @Test func `K30 the coherence is the length of the sum over the sum of the lengths, times 255`() {
        // red five times and cyan once: saturation is 127.5 both times (255 · 100 / 200), so the coherence is 255 · 4 / 6 = 170
        let mostlyRed = Array(repeating: [Self.red, Self.cyan], count: 5) + [[Self.cyan, Self.red]]
        #expect(Self.measure(mostlyRed) { $0.coherence = 169.9 }.share == 0)
        #expect(Self.measure(mostlyRed) { $0.coherence = 170.1 }.share == 1)
    }

    @Test func `K30 a cell must once have been more saturated than the limit`() {
        let changing = (0..<6).map { $0.isMultiple(of: 2) ? [Self.red, Self.cyan] : [Self.cyan, Self.red] }
        #expect(Self.measure(changing) { $0.saturation = 127.4 }.share == 1)
        #expect(Self.measure(changing) { $0.saturation = 127.5 }.share == 0)
    }

    @Test func `K30 a third of a turn: three hues of one saturation cancel out exactly`() {
        let hues: [(UInt8, UInt8, UInt8)] = [(200, 100, 100), (100, 200, 100), (100, 100, 200)]
        // three cells, each frame with all three hues: the mean is grey
        var measure = HologramMeasure(width: 3, height: 1)
        for frame in 0..<6 {
            let pixels = (0..<3).map { hues[($0 + frame) % 3] }
            measure.add(Self.image(pixels, width: 3), atMilliseconds: 0)
        }
        #expect(measure.share == 1)
    }

    @Test func `K30 cells brighter than 240 are left out of their frame and counted as glare`() {
        var measure = HologramMeasure(width: 2, height: 1)
        let bright: (UInt8, UInt8, UInt8) = (241, 241, 241)
        let limit: (UInt8, UInt8, UInt8) = (240, 240, 240)
        #expect(measure.add(Self.image([bright, limit], width: 2), atMilliseconds: 0) == 0.5)
        for _ in 0..<4 { measure.add(Self.image([bright, limit], width: 2), atMilliseconds: 0) }
        // only the second cell was ever seen
        #expect(measure.share == 0)
        var blind = HologramMeasure(width: 2, height: 1)
        for _ in 0..<9 { #expect(blind.add(Self.image([bright, bright], width: 2), atMilliseconds: 0) == 1) }
        #expect(blind.share == nil)
        #expect(blind.largestShare == nil)
    }

    @Test func `K30 the grey-world rule takes the light's own colour away`() {
        // grey cells under orange light: without the rule they are saturated, with it they are grey
        var measure = HologramMeasure(width: 2, height: 1)
        for level in [90, 60, 80, 100, 70, 85] as [UInt8] {
            let lit: (UInt8, UInt8, UInt8) = (2 * level, level, level / 2)
            measure.add(Self.image([lit, lit], width: 2), atMilliseconds: 0)
        }
        #expect(measure.share == 0)
    }

    @Test func `K30 the largest share counts, and the first crossing is remembered`() {
        let changing = (0..<6).map { $0.isMultiple(of: 2) ? [Self.red, Self.cyan] : [Self.cyan, Self.red] }
        let still = Array(repeating: [Self.red, Self.cyan], count: 30)
        let measure = Self.measure(changing + still)
        #expect(measure.share == 0)
        #expect(measure.largestShare == 1)
        #expect(measure.crossedAtMilliseconds == 800)
    }

    @Test func `K30 a rainbow that moves with the card's tilt is told from the same rainbow in print`() {
        func card(shift: Int, patch: Bool) -> RGBImage {
            var pixels: [(UInt8, UInt8, UInt8)] = []
            for y in 0..<40 {
                for x in 0..<64 {
                    // paper with some printed texture, the same in every frame
                    let grain = UInt8(150 + (x * 7 + y * 13) % 20)
                    let isPatch = patch && (20..<36).contains(x) && (10..<26).contains(y)
                    pixels.append(isPatch ? Self.rainbow((2 * (x + y) + shift) % 36) : (grain, grain, grain))
                }
            }
            return Self.image(pixels, width: 64)
        }
        func share(moving: Bool, patch: Bool = true) -> Double? {
            var measure = HologramMeasure()
            for frame in 0..<12 {
                measure.add(card(shift: moving ? frame * 7 : 0, patch: patch), atMilliseconds: Int64(frame) * 200)
            }
            return measure.largestShare
        }
        let patchArea = 16.0 * 16 / (64 * 40)
        #expect(share(moving: true).map { abs($0 - patchArea) < 0.02 } == true)
        #expect(share(moving: false).map { $0 < 0.002 } == true)
        #expect(share(moving: true, patch: false).map { $0 < 0.002 } == true)
    }

    /// A hue of 36 at half saturation and constant value.
    private static func rainbow(_ step: Int) -> (UInt8, UInt8, UInt8) {
        let sector = step / 6
        let rise = UInt8(90 + 110 * (step % 6) / 6)
        let fall = UInt8(200 - 110 * (step % 6) / 6)
        switch sector {
        case 0: return (200, rise, 90)
        case 1: return (fall, 200, 90)
        case 2: return (90, 200, rise)
        case 3: return (90, fall, 200)
        case 4: return (rise, 90, 200)
        default: return (200, 90, fall)
        }
    }
}
