import HTMLPages

/// For each step three marks on a scale where every line is ten times the one before: p50, p90 and p99, with their names.
struct TimeChart {
    struct Row {
        let name: String
        let p50: Int64
        let p90: Int64
        let p99: Int64
    }

    let title: String
    let rows: [Row]

    private static let left = 280
    private static let right = 690
    private static let height = 34
    private static let top = 26

    var svg: Markup {
        let highest = max(1_000, rows.map(\.p99).max() ?? 1_000)
        var decades = 1
        while Self.power(decades) < highest { decades += 1 }
        func x(_ value: Int64) -> Int {
            Self.left + Int(Double(Self.right - Self.left) * Self.logarithm(value) / Double(decades))
        }
        let bottom = Self.top + rows.count * Self.height
        var marks = Markup()
        for decade in 0...decades {
            let value = Self.power(decade)
            marks += """
                <line class="grid" x1="\(x(value))" y1="\(Self.top - 6)" x2="\(x(value))" y2="\(bottom)"/>
                <text class="axis" x="\(x(value))" y="14" text-anchor="middle">\(Self.scale(decade))</text>

                """
        }
        for (index, row) in rows.enumerated() {
            let y = Self.top + index * Self.height + 16
            marks += """
                <text x="\(Self.left - 14)" y="\(y + 5)" text-anchor="end"><title>\(row.name)</title>\(Labels.short(row.name, 38))</text>
                <line class="range" x1="\(x(row.p50))" y1="\(y)" x2="\(x(row.p99))" y2="\(y)"/>
                <circle class="mark" cx="\(x(row.p50))" cy="\(y)" r="5"/>
                <rect class="mark" x="\(x(row.p90) - 4)" y="\(y - 4)" width="8" height="8"/>
                <path class="mark open" d="M\(x(row.p99)) \(y - 6)l6 6l-6 6l-6 -6z"/>
                <text class="axis" x="\(Self.right + 14)" y="\(y + 4)">\(DurationWords.of(row.p50)) · \(DurationWords.of(row.p90)) · \(DurationWords.of(row.p99))</text>

                """
        }
        return Labels.figure(title, width: 920, height: bottom + 8, marks)
    }

    private static func power(_ decade: Int) -> Int64 { (0..<decade).reduce(Int64(1)) { value, _ in value * 10 } }

    /// To the base of ten, between whole powers by a straight line: good enough to place a mark.
    private static func logarithm(_ value: Int64) -> Double {
        guard value > 1 else { return 0 }
        var decade = 0
        while power(decade + 1) <= value { decade += 1 }
        let low = Double(power(decade))
        // log10(1 + t) for t in 0…9 within half a hundredth of a decade, by halving
        var ratio = Double(value) / low
        var part = 0.0
        var weight = 0.5
        for _ in 0..<12 {
            ratio *= ratio
            if ratio >= 10 {
                part += weight
                ratio /= 10
            }
            weight /= 2
        }
        return Double(decade) + part
    }

    private static func scale(_ decade: Int) -> String {
        ["1 ms", "10 ms", "100 ms", "1 s", "10 s", "1.7 min", "17 min", "2.8 h", "28 h", "12 d", "116 d"][safe: decade] ?? ""
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
