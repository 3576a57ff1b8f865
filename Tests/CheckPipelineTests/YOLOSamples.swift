import MediaChecks

/// An anchor of a detector's output, in pixels of its input.
struct Anchor {
    var box: (x: Double, y: Double, width: Double, height: Double)
    var scores: [Double]
}

enum YOLOSamples {
    enum Layout: CaseIterable { case channelsFirst, anchorsFirst }

    /// The same anchors in any layout and unit, with empty ones up to `count`.
    static func output(
        _ anchors: [Anchor], classes: Int, side: Int, count: Int = 40, layout: Layout = .channelsFirst, normalized: Bool = true
    ) -> FloatTensor {
        let unit = normalized ? Double(side) : 1
        var rows = anchors.map { anchor in
            [anchor.box.x / unit, anchor.box.y / unit, anchor.box.width / unit, anchor.box.height / unit] + anchor.scores
        }
        while rows.count < count { rows.append([Double](repeating: 0, count: 4 + classes)) }
        switch layout {
        case .anchorsFirst:
            return FloatTensor(shape: [1, rows.count, 4 + classes], values: rows.flatMap { $0 }.map { Float($0) })
        case .channelsFirst:
            let values = (0..<(4 + classes)).flatMap { channel in rows.map { Float($0[channel]) } }
            return FloatTensor(shape: [1, 4 + classes, rows.count], values: values)
        }
    }
}
