import Glibc

/// Quality measures of ISO/IEC 29794-5 as its reference implementation (OFIQ) scales them. None of them decides anything here.
package enum FaceQuality {
    /// 1 / (1 + e^((middle − x) / width)).
    package static func logistic(_ x: Double, middle: Double, width: Double) -> Double { 1 / (1 + exp((middle - x) / width)) }

    /// Luminance mean: 0 to 100 from a mean in 0…1. A mean of 0.5 gives nearly 100, of 0.2 gives 50.
    package static func luminanceMean(_ mean: Double) -> Double {
        100 * logistic(mean, middle: 0.2, width: 0.05) * (1 - logistic(mean, middle: 0.8, width: 0.05))
    }

    /// Over- and under-exposure: 0 to 100 from the share of pixels in the levels 247…255, or 0…25.
    package static func exposure(_ share: Double) -> Double { min(100, max(0, (1 / (share + 0.01)).rounded())) }

    /// Dynamic range: 0 to 100 from the entropy of the histogram, in bits.
    package static func dynamicRange(bits: Double) -> Double { min(100, max(0, (12.5 * bits).rounded())) }

    /// The entropy of a histogram in bits; 0 for an empty one.
    package static func entropy(_ histogram: [Int]) -> Double {
        let total = Double(histogram.reduce(0, +))
        guard total > 0 else { return 0 }
        return histogram.reduce(0.0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }

    /// Head pose: 0 to 100 from one angle in degrees, 100 · cos². 30° gives 75, 45° gives 50.
    package static func pose(degrees: Double) -> Double {
        let cosine = max(0, cos(degrees * .pi / 180))
        return 100 * cosine * cosine
    }

    /// Inter-eye distance: 0 to 100 from pixels between the eyes' middles. 70 gives 50, 90 gives 73.
    package static func eyeDistance(_ pixels: Double) -> Double { 100 * logistic(pixels, middle: 70, width: 20) }

    /// Head size: 0 to 100 from the distance between the eyes' midpoint and the chin as a share of the image's height: 200
    /// times the falling half of a logistic around 0.45.
    package static func headSize(_ share: Double) -> Double {
        200 * (1 - logistic(abs(share - 0.45), middle: 0, width: 0.05))
    }
}
