import SessionDomain

/// Draws what the pipeline saw and said on the picture: boxes with their class and score, and below it the verdict with its findings.
package enum Annotation {
    /// - Parameter image: the upright picture, in any size; boxes are in fractions of it.
    /// - Returns: the picture with boxes, as wide as before, and a panel below it that hides nothing.
    package static func draw(report: CheckReport, on image: RGBImage) -> RGBImage {
        let scale = max(1, min(image.width, image.height) / 320)
        var canvas = Canvas(image)
        var labels: [PixelArea] = []
        for detection in report.detections.sorted(by: { $0.box.area > $1.box.area }) {
            let ink = Ink.named(detection.name)
            outline(detection.box, ink, scale, &canvas)
            label("\(detection.name) \(Self.number(detection.score))", at: detection.box, ink, scale, &canvas, &labels)
        }
        for finding in report.findings where finding.passed == false {
            guard let region = finding.region else { continue }
            outline(region, .failed, scale, &canvas)
            label("✗ \(finding.metric)", at: region, .failed, scale, &canvas, &labels)
        }
        return AnnotationPanel(report, width: image.width, scale: scale).below(canvas.image)
    }

    private static func outline(_ box: NormalizedRect, _ ink: Ink, _ scale: Int, _ canvas: inout Canvas) {
        let area = box.pixels(of: canvas.image)
        // a dark line around the coloured one: one of the two stands out on any ground
        canvas.frame(area.inset(-scale), .night, thickness: 3 * scale)
        canvas.frame(area, ink, thickness: 2 * scale)
    }

    private static func label(
        _ text: String, at box: NormalizedRect, _ ink: Ink, _ scale: Int, _ canvas: inout Canvas, _ labels: inout [PixelArea]
    ) {
        let area = box.pixels(of: canvas.image)
        let width = Canvas.textWidth(text, scale: scale) + 6 * scale
        let height = (BitmapFont.height + 3) * scale
        let left = max(0, min(area.left - scale, canvas.image.width - width))
        let above = area.top - height
        var place = PixelArea(left: left, top: above, right: left + width, bottom: above + height)
        if above < 0 { place = place.moved(down: -above) }
        while labels.contains(where: place.overlaps), place.bottom + height <= canvas.image.height {
            place = place.moved(down: height)
        }
        labels.append(place)
        canvas.fill(place, ink)
        canvas.write(text, left: place.left + 3 * scale, top: place.top + 2 * scale, scale: scale, ink.reading)
    }

    /// Short enough to read beside others: at most two or three digits that say something.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        if value.magnitude >= 100 || value == value.rounded() { return String(Int(max(-1e9, min(1e9, value.rounded())))) }
        let places = value.magnitude >= 10 ? 10.0 : value.magnitude >= 0.1 ? 100.0 : 1_000.0
        let whole = Int((value.magnitude * places).rounded())
        let digits = String(whole % Int(places))
        let width = places == 10 ? 1 : places == 100 ? 2 : 3
        let sign = value < 0 && whole > 0 ? "-" : ""
        return sign + "\(whole / Int(places))." + String(repeating: "0", count: width - digits.count) + digits
    }
}

extension NormalizedRect {
    fileprivate func pixels(of image: RGBImage) -> PixelArea {
        func pixel(_ fraction: Double, _ length: Int) -> Int {
            guard fraction.isFinite else { return 0 }
            return Int((min(max(fraction, 0), 1) * Double(length)).rounded())
        }
        return PixelArea(
            left: pixel(x, image.width), top: pixel(y, image.height), right: pixel(x + width, image.width),
            bottom: pixel(y + height, image.height))
    }
}
