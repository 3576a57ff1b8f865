/// A picture balanced so that its mean is grey, without its reflections.
struct GreyWorld {
    private let image: RGBImage
    private let highlight: Double
    private let gains: (red: Double, green: Double, blue: Double)
    /// Of all pixels, those that are reflections.
    let highlightShare: Double

    init(_ image: RGBImage, highlight: Double) {
        self.image = image
        self.highlight = highlight
        var sums = (red: 0.0, green: 0.0, blue: 0.0)
        var kept = 0
        let count = image.width * image.height
        for index in 0..<count {
            let colour = Colour(image, index)
            guard colour.luma <= highlight else { continue }
            sums.red += colour.red
            sums.green += colour.green
            sums.blue += colour.blue
            kept += 1
        }
        let mean = (sums.red + sums.green + sums.blue) / 3
        func gain(_ sum: Double) -> Double { sum > 0 ? mean / sum : 1 }
        gains = (gain(sums.red), gain(sums.green), gain(sums.blue))
        highlightShare = Double(count - kept) / Double(count)
    }

    /// The balanced colour of a pixel; nil for a reflection.
    func colour(_ index: Int) -> Colour? {
        let colour = Colour(image, index)
        guard colour.luma <= highlight else { return nil }
        return Colour(
            red: min(255, colour.red * gains.red), green: min(255, colour.green * gains.green),
            blue: min(255, colour.blue * gains.blue))
    }
}

/// Red, green and blue from 0 to 255.
struct Colour: Hashable {
    var red: Double
    var green: Double
    var blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ image: RGBImage, _ index: Int) {
        red = Double(image.bytes[3 * index])
        green = Double(image.bytes[3 * index + 1])
        blue = Double(image.bytes[3 * index + 2])
    }

    /// BT.601.
    var luma: Double { 0.299 * red + 0.587 * green + 0.114 * blue }

    /// Of HSV, 0 to 255.
    var saturation: Double {
        let most = max(red, green, blue)
        return most > 0 ? 255 * (most - min(red, green, blue)) / most : 0
    }

    /// The hue as a vector of length 1: red lies at (1, 0), green a third of a turn on. Zero for grey.
    var hue: (x: Double, y: Double) {
        let x = red - (green + blue) / 2
        let y = 0.75.squareRoot() * (green - blue)
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (x / length, y / length) : (0, 0)
    }
}
