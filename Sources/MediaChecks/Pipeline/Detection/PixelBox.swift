package import SessionDomain

/// A rectangle by its two corners, in pixels.
package struct PixelBox: Sendable, Hashable {
    package var x0, y0, x1, y1: Double

    package init(x0: Double, y0: Double, x1: Double, y1: Double) {
        self.x0 = x0
        self.y0 = y0
        self.x1 = x1
        self.y1 = y1
    }

    package init(centreX: Double, centreY: Double, width: Double, height: Double) {
        self.init(
            x0: centreX - width / 2, y0: centreY - height / 2, x1: centreX + width / 2, y1: centreY + height / 2)
    }

    package var width: Double { max(0, x1 - x0) }
    package var height: Double { max(0, y1 - y0) }
    package var area: Double { width * height }

    package func intersection(_ other: PixelBox) -> PixelBox {
        PixelBox(x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
    }

    /// Intersection over union; 0 for boxes without area.
    package func overlap(_ other: PixelBox) -> Double {
        let common = intersection(other).area
        let union = area + other.area - common
        return union > 0 ? common / union : 0
    }

    /// In fractions of a picture, clipped to it, to six decimals; nil when nothing of it lies in the picture.
    package func normalized(width: Int, height: Int) -> NormalizedRect? {
        NormalizedRect(
            clampedX0: x0 / Double(width), y0: y0 / Double(height), x1: x1 / Double(width), y1: y1 / Double(height))
    }
}
