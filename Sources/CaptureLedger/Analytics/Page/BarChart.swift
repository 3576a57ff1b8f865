import HTMLPages

/// Horizontal bars, each with its name before it and its number behind it, so that nothing depends on colour.
struct BarChart {
    struct Bar {
        let name: String
        let value: Int64
        /// What stands behind the bar, such as `80 · 83.3 %`.
        let label: String
        /// Drawn with stripes instead of full.
        var isSoft = false
    }

    let title: String
    let bars: [Bar]
    /// The longest bar's number; nil: the largest.
    var full: Int64?

    private static let left = 230
    private static let width = 420
    private static let height = 30

    var svg: Markup {
        let highest = max(1, full ?? bars.map(\.value).max() ?? 1)
        var marks = Markup()
        for (index, bar) in bars.enumerated() {
            let y = index * Self.height
            let length = Int(Double(Self.width) * Double(max(0, bar.value)) / Double(highest))
            // what is not nothing can be seen
            let shown = bar.value > 0 ? max(2, min(Self.width, length)) : 0
            marks += """
                <text x="\(Self.left - 10)" y="\(y + 20)" text-anchor="end"><title>\(bar.name)</title>\(Labels.short(bar.name, 30))</text>
                <rect class="bar\(bar.isSoft ? " soft-bar" : "")" x="\(Self.left)" y="\(y + 5)" width="\(shown)" height="20"/>
                <text x="\(Self.left + shown + 8)" y="\(y + 20)">\(bar.label)</text>

                """
        }
        return Labels.figure(title, width: 880, height: max(1, bars.count) * Self.height + 4, marks)
    }
}

/// What charts share.
enum Labels {
    /// At most so many characters, so that it does not run into what stands beside it.
    static func short(_ text: String, _ limit: Int) -> String {
        text.count <= limit ? text : String(text.prefix(limit - 1)) + "…"
    }

    /// A drawing with a name for those who cannot see it.
    static func figure(_ title: String, width: Int, height: Int, _ marks: Markup) -> Markup {
        """
        <figure><figcaption>\(title)</figcaption>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" aria-label="\(title)">
        \(Self.stripes)\(marks)</svg></figure>

        """
    }

    private static let stripes: Markup = """
        <defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fff"/><rect width="3" height="6" fill="#2f6db5"/></pattern></defs>

        """
}
