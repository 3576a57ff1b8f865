import SessionDomain

extension RGBImage {
    /// A region stretched to this size, each pixel the mean of what it covers; at least the nearest one where it covers less than one.
    ///
    /// - Parameter region: in fractions of the picture, clamped to it.
    func crop(_ region: NormalizedRect, width: Int, height: Int) -> RGBImage {
        let columns = Self.spans(region.x, region.width, of: self.width, into: width)
        let rows = Self.spans(region.y, region.height, of: self.height, into: height)
        var result: [UInt8] = []
        result.reserveCapacity(3 * width * height)
        for row in rows {
            for column in columns {
                var sums = (0, 0, 0)
                for y in row {
                    for x in column {
                        let at = 3 * (y * self.width + x)
                        sums.0 += Int(bytes[at])
                        sums.1 += Int(bytes[at + 1])
                        sums.2 += Int(bytes[at + 2])
                    }
                }
                let count = row.count * column.count
                for sum in [sums.0, sums.1, sums.2] { result.append(UInt8((sum + count / 2) / count)) }
            }
        }
        return RGBImage(width: width, height: height, bytes: result)
    }

    /// The source pixels of each target pixel along one side; none is empty.
    private static func spans(_ start: Double, _ length: Double, of source: Int, into target: Int) -> [Range<Int>] {
        let first = min(max(0, start.isFinite ? start : 0), 1) * Double(source)
        let last = min(max(0, (start + length).isFinite ? start + length : 1), 1) * Double(source)
        return (0..<target).map { index in
            let from = first + (last - first) * Double(index) / Double(target)
            let to = first + (last - first) * Double(index + 1) / Double(target)
            let low = min(max(0, Int(from.rounded())), source - 1)
            return low..<min(max(low + 1, Int(to.rounded())), source)
        }
    }
}
