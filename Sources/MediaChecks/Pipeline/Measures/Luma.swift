/// Brightness of pixels (ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B).
package struct Luma: Sendable {
    package let width, height: Int
    /// 0 to 255 each, row after row, in 16 fractional bits so that sums are exact: `19595 R + 38470 G + 7471 B`.
    private let weighted: [UInt32]

    package init(_ image: RGBImage) {
        width = image.width
        height = image.height
        let bytes = image.bytes.span
        var weighted = [UInt32](repeating: 0, count: image.width * image.height)
        var pixels = weighted.mutableSpan
        for index in 0..<pixels.count {
            let red = UInt32(bytes[3 * index])
            let green = UInt32(bytes[3 * index + 1])
            let blue = UInt32(bytes[3 * index + 2])
            pixels[index] = 19595 * red + 38470 * green + 7471 * blue
        }
        self.weighted = weighted
    }

    /// 0 to 255.
    package var mean: Double {
        var sum: UInt64 = 0
        for value in weighted { sum += UInt64(value) }
        return Double(sum) / Double(weighted.count) / 65536
    }

    /// Rounded to whole levels, 0 to 255.
    package var levels: [UInt8] { weighted.map { UInt8(min(255, ($0 + 32768) >> 16)) } }

    /// The share of pixels at or above a level, 0 to 1.
    package func share(atLeast level: UInt8) -> Double {
        var count = 0
        for value in weighted where (value + 32768) >> 16 >= UInt32(level) { count += 1 }
        return Double(count) / Double(weighted.count)
    }

    /// The share of pixels at or below a level, 0 to 1.
    package func share(atMost level: UInt8) -> Double {
        var count = 0
        for value in weighted where (value + 32768) >> 16 <= UInt32(level) { count += 1 }
        return Double(count) / Double(weighted.count)
    }

    /// How many pixels each of the 256 levels has.
    package var histogram: [Int] {
        var counts = [Int](repeating: 0, count: 256)
        for value in weighted { counts[Int(min(255, (value + 32768) >> 16))] += 1 }
        return counts
    }
}
