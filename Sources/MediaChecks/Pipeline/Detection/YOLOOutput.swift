/// The output of a detector of the YOLOv8 kind, in either layout: `[1, 4 + classes, anchors]` or `[1, anchors, 4 + classes]`.
/// Each anchor is centre x, centre y, width, height and one score a class, already between 0 and 1; there is no score for "an
/// object".
package struct YOLOOutput: Sendable {
    package let classes: Int
    package let anchors: Int
    /// How far apart two anchors, and two channels of one anchor, lie in `values`.
    private let anchorStride, channelStride: Int
    private let values: [Float]

    /// A score may be this much above 1: half-precision arithmetic rounds.
    private static let slack: Float = 1e-3

    /// A square output is read as channels first.
    ///
    /// - Throws: `wrong_shape` for a shape that fits neither layout.
    package init(_ tensor: FloatTensor, classes: Int) throws(ModelFault) {
        let shape = tensor.shape
        guard classes > 0, shape.count == 3, shape[0] == 1, shape[1] > 0, shape[2] > 0 else {
            throw Self.fault(shape, classes)
        }
        if shape[1] == 4 + classes {
            anchors = shape[2]
            (anchorStride, channelStride) = (1, shape[2])
        } else if shape[2] == 4 + classes {
            anchors = shape[1]
            (anchorStride, channelStride) = (shape[2], 1)
        } else {
            throw Self.fault(shape, classes)
        }
        self.classes = classes
        values = tensor.values
    }

    /// The best class of each anchor that reaches `floor`. Numbers that no picture explains are left out: not finite, above 1,
    /// boxes that are thinner than two pixels or several times as large as the input.
    ///
    /// - Parameters:
    ///   - width: of the input, in pixels.
    ///   - normalized: whether boxes come in fractions of the input.
    /// - Returns: boxes in pixels of the input, clipped to it.
    package func candidates(width: Int, height: Int, normalized: Bool, floor: Double) -> [Candidate] {
        var found: [Candidate] = []
        let (scaleX, scaleY) = normalized ? (Double(width), Double(height)) : (1, 1)
        let floor = Float(floor)
        for anchor in 0..<anchors {
            let start = anchor * anchorStride
            var best: (score: Float, index: Int)?
            var isSound = true
            for index in 0..<classes {
                let score = values[start + (4 + index) * channelStride]
                guard score.isFinite, score <= 1 + Self.slack else {
                    isSound = false
                    break
                }
                if score >= floor, score > best?.score ?? -1 { best = (score, index) }
            }
            guard isSound, let best else { continue }
            func number(_ channel: Int) -> Double { Double(values[start + channel * channelStride]) }
            let box = PixelBox(
                centreX: number(0) * scaleX, centreY: number(1) * scaleY, width: number(2) * scaleX, height: number(3) * scaleY)
            guard let clipped = Self.sound(box, width: Double(width), height: Double(height)) else { continue }
            found.append(Candidate(classIndex: best.index, score: min(1, Double(best.score)), box: clipped, index: anchor))
        }
        return found
    }

    private static func sound(_ box: PixelBox, width: Double, height: Double) -> PixelBox? {
        guard [box.x0, box.y0, box.x1, box.y1].allSatisfy(\.isFinite), box.width <= 4 * width, box.height <= 4 * height else {
            return nil
        }
        let clipped = box.intersection(PixelBox(x0: 0, y0: 0, x1: width, y1: height))
        return clipped.width >= 2 && clipped.height >= 2 ? clipped : nil
    }

    private static func fault(_ shape: [Int], _ classes: Int) -> ModelFault {
        ModelFault(
            .wrongShape,
            message:
                "The detector's output has the shape \(shape): neither [1, \(4 + classes), N] nor [1, N, \(4 + classes)].",
            remedy: "Correct class_names in the model's descriptor, or install a model whose output is of the YOLOv8 kind.")
    }
}
