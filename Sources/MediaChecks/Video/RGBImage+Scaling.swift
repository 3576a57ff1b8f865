import SessionDomain

extension RGBImage {
    /// A region scaled to this size with a triangle filter that widens as the picture shrinks, so that nothing flickers from frame to frame.
    ///
    /// - Parameter region: in fractions of the picture, clamped to it; nil: all of it.
    func scaled(_ region: NormalizedRect? = nil, width: Int, height: Int) -> RGBImage {
        let place = region ?? NormalizedRect(x: 0, y: 0, width: 1, height: 1)
        let columns = Tap.taps(place.x, place.width, of: self.width, into: width)
        let rows = Tap.taps(place.y, place.height, of: self.height, into: height)
        // first every needed row across, then down: rows outside the region are never touched
        let first = rows.map(\.first).min() ?? 0
        let last = rows.map { $0.first + $0.weights.count }.max() ?? self.height
        let across = across(columns, first..<last)
        let length = 3 * width
        var result = [UInt8](repeating: 0, count: length * height)
        var line = [Float](repeating: 0, count: length)
        var to = 0
        for tap in rows {
            for at in 0..<length { line[at] = 0.5 }
            var from = (tap.first - first) * length
            for weight in tap.weights {
                for at in 0..<length { line[at] += weight * across[from + at] }
                from += length
            }
            for at in 0..<length {
                result[to] = UInt8(min(255, max(0, line[at])))
                to += 1
            }
        }
        return RGBImage(width: width, height: height, bytes: result)
    }

    /// Those rows, scaled in width alone.
    private func across(_ columns: [Tap], _ rows: Range<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: 3 * columns.count * rows.count)
        let pixels = bytes.span
        var to = 0
        for row in rows {
            for tap in columns {
                var at = 3 * (row * width + tap.first)
                var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
                for weight in tap.weights {
                    red += weight * Float(pixels[at])
                    green += weight * Float(pixels[at + 1])
                    blue += weight * Float(pixels[at + 2])
                    at += 3
                }
                result[to] = red
                result[to + 1] = green
                result[to + 2] = blue
                to += 3
            }
        }
        return result
    }

    /// The source pixels that one target pixel along one side is made of; the weights add up to 1.
    private struct Tap {
        let first: Int
        let weights: [Float]

        static func taps(_ start: Double, _ length: Double, of source: Int, into target: Int) -> [Tap] {
            let from = min(max(0, start.isFinite ? start : 0), 1) * Double(source)
            let to = min(max(0, (start + length).isFinite ? start + length : 1), 1) * Double(source)
            let step = max(to - from, 1e-9) / Double(target)
            let support = max(1, step)
            return (0..<target).map { index in
                // a pixel's middle lies half a pixel inside it
                let middle = from + (Double(index) + 0.5) * step - 0.5
                let low = min(max(0, Int((middle - support).rounded(.up))), source - 1)
                let high = min(max(low, Int((middle + support).rounded(.down))), source - 1)
                let weights = (low...high).map { max(0, 1 - (Double($0) - middle).magnitude / support) }
                let sum = weights.reduce(0, +)
                guard sum > 0 else {
                    return Tap(first: min(max(0, Int(middle.rounded())), source - 1), weights: [1])
                }
                return Tap(first: low, weights: weights.map { Float($0 / sum) })
            }
        }
    }
}
