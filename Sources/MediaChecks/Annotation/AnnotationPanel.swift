import SessionDomain

/// The strip below an annotated picture: the verdict, then one line a finding, in as many columns as the width has room for.
struct AnnotationPanel {
    private struct Line {
        let mark: String
        let text: String
        let ink: Ink
    }

    private let width: Int
    private let scale: Int
    private let headline: String
    private let verdict: Ink
    private let lines: [Line]
    private let policy: String

    init(_ report: CheckReport, width: Int, scale: Int) {
        self.width = width
        self.scale = scale
        headline = Self.headline(report, room: width / ((BitmapFont.width + 1) * scale) - 4)
        verdict = report.failure == nil ? .passed : .failed
        // what was only detected is drawn as a box already
        lines = report.findings.filter { !$0.metric.hasPrefix("detected_") }.map(Self.line)
        policy = "policy \(report.policyVersion)"
    }

    /// - Parameter room: in characters; the sentence is left out where it has none.
    private static func headline(_ report: CheckReport, room: Int) -> String {
        guard let failure = report.failure else { return "✓ nothing speaks against it" }
        let whole = "✗ \(failure.rawValue): \(failure.text.user)"
        return whole.count <= room ? whole : "✗ \(failure.rawValue)"
    }

    private static func line(_ finding: Finding) -> Line {
        var text = "\(finding.metric) \(Annotation.number(finding.value))"
        if let threshold = finding.threshold, let direction = finding.direction {
            text += " \(sign(direction)) \(Annotation.number(threshold))"
        }
        switch finding.passed {
        case true?: return Line(mark: "✓", text: text, ink: .passed)
        case false?: return Line(mark: "✗", text: text, ink: .failed)
        case nil: return Line(mark: "-", text: text + " (not assessed)", ink: .muted)
        }
    }

    private static func sign(_ direction: Finding.Direction) -> String {
        switch direction {
        case .atLeast: "≥"
        case .atMost: "≤"
        case .below: "<"
        }
    }

    /// The picture with the panel under it.
    func below(_ picture: RGBImage) -> RGBImage {
        let step = (BitmapFont.height + 4) * scale
        let margin = 6 * scale
        let heading = (BitmapFont.height + 7) * scale
        let column = (lines.map { Canvas.textWidth($0.text, scale: scale) }.max() ?? 0) + 22 * scale
        let columns = max(1, min(max(1, lines.count), (width - margin) / max(1, column)))
        let rows = (lines.count + columns - 1) / columns
        let height = heading + (rows > 0 ? margin + rows * step : 0) + scale
        var canvas = Canvas(width: width, height: picture.height + height, .night)
        canvas.place(picture, left: 0, top: 0)
        let top = picture.height
        canvas.fill(PixelArea(left: 0, top: top, right: width, bottom: top + heading), verdict)
        canvas.write(headline, left: margin, top: top + 4 * scale, scale: scale, verdict.reading)
        let policyWidth = Canvas.textWidth(policy, scale: scale)
        if Canvas.textWidth(headline, scale: scale) + policyWidth + 3 * margin <= width {
            canvas.write(policy, left: width - margin - policyWidth, top: top + 4 * scale, scale: scale, verdict.reading)
        }
        for (index, line) in lines.enumerated() {
            let left = margin + index / max(1, rows) * column
            let y = top + heading + margin + index % max(1, rows) * step
            mark(line, left: left, top: y, &canvas)
            let ink = line.ink == .muted ? Ink.muted : .paper
            canvas.write(line.text, left: left + 12 * scale, top: y, scale: scale, ink)
        }
        return canvas.image
    }

    /// What failed is dark and filled, what passed is light: told apart without the hue.
    private func mark(_ line: Line, left: Int, top: Int, _ canvas: inout Canvas) {
        let box = PixelArea(
            left: left - 2 * scale, top: top - 2 * scale, right: left + 7 * scale,
            bottom: top + (BitmapFont.capHeight + 2) * scale)
        if line.mark == "✗" { canvas.fill(box, line.ink) }
        canvas.write(line.mark, left: left, top: top, scale: scale, line.mark == "✗" ? .paper : line.ink)
    }
}
