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
        var across = [Float](repeating: 0, count: 3 * width * (last - first))
        for row in first..<last {
            for (column, tap) in columns.enumerated() {
                var sums: (Float, Float, Float) = (0, 0, 0)
                for (offset, weight) in tap.weights.enumerated() {
                    let at = 3 * (row * self.width + tap.first + offset)
                    sums.0 += weight * Float(bytes[at])
                    sums.1 += weight * Float(bytes[at + 1])
                    sums.2 += weight * Float(bytes[at + 2])
                }
                let to = 3 * ((row - first) * width + column)
                (across[to], across[to + 1], across[to + 2]) = sums
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(3 * width * height)
        for tap in rows {
            for at in 0..<3 * width {
                var sum: Float = 0
                for (offset, weight) in tap.weights.enumerated() {
                    sum += weight * across[(tap.first - first + offset) * 3 * width + at]
                }
                result.append(UInt8(min(255, max(0, sum.rounded()))))
            }
        }
        return RGBImage(width: width, height: height, bytes: result)
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
