package import SessionDomain

extension NormalizedRect {
    /// By its corners, clipped to 0…1 and rounded to a millionth; nil when nothing is left or a number is none.
    init?(clampedX0 x0: Double, y0: Double, x1: Double, y1: Double) {
        guard x0.isFinite, y0.isFinite, x1.isFinite, y1.isFinite else { return nil }
        func clamped(_ value: Double) -> Double { min(1, max(0, value)) }
        let (left, top) = (clamped(x0).toMillionths, clamped(y0).toMillionths)
        let (width, height) = ((clamped(x1) - left).toMillionths, (clamped(y1) - top).toMillionths)
        guard width > 0, height > 0 else { return nil }
        self.init(x: left, y: top, width: width, height: height)
    }

    package var centreX: Double { x + width / 2 }
    package var centreY: Double { y + height / 2 }
    package var area: Double { width * height }

    /// Whether the other's centre lies in it.
    package func holdsCentre(of other: NormalizedRect) -> Bool {
        (x...(x + width)).contains(other.centreX) && (y...(y + height)).contains(other.centreY)
    }

    /// The share of it that `other` covers, 0 to 1.
    package func share(coveredBy other: NormalizedRect) -> Double {
        let common =
            max(0, min(x + width, other.x + other.width) - max(x, other.x))
            * max(0, min(y + height, other.y + other.height) - max(y, other.y))
        return area > 0 ? min(1, common / area) : 0
    }

    /// Intersection over union.
    package func overlap(_ other: NormalizedRect) -> Double {
        let common = share(coveredBy: other) * area
        let union = area + other.area - common
        return union > 0 ? common / union : 0
    }

    /// It in fractions of `crop` instead of the picture, clamped to 0…1 (K27); nil when it lies outside of it.
    package func within(_ crop: NormalizedRect) -> NormalizedRect? {
        guard crop.width > 0, crop.height > 0 else { return nil }
        return NormalizedRect(
            clampedX0: (x - crop.x) / crop.width, y0: (y - crop.y) / crop.height, x1: (x + width - crop.x) / crop.width,
            y1: (y + height - crop.y) / crop.height)
    }
}

extension Double {
    /// Rounded to six decimals, so that what is stored is short and what is judged is what is stored.
    package var toMillionths: Double { isFinite ? (self * 1e6).rounded() / 1e6 : self }
}
