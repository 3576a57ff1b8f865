import HTMLPages
import SessionDomain

/// Two lines over days: what began, drawn through, and what was completed of it, dashed, with other marks and a name at its end.
struct DayChart {
    let title: String
    /// By day.
    let days: [(day: CivilDay, started: Int64, completed: Int64)]

    private static let left = 60
    private static let right = 720
    private static let top = 16
    private static let bottom = 216

    var svg: Markup {
        guard let first = days.first?.day.number, let last = days.last?.day.number else { return "" }
        let highest = Self.round(days.map(\.started).max() ?? 1)
        func x(_ day: CivilDay) -> Int {
            guard last > first else { return (Self.left + Self.right) / 2 }
            return Self.left + Int(Int64(Self.right - Self.left) * (day.number - first) / (last - first))
        }
        func y(_ value: Int64) -> Int { Self.bottom - Int(Int64(Self.bottom - Self.top) * value / highest) }
        var marks = Markup()
        for part in 0...4 where highest % 4 == 0 || part == 0 || part == 4 {
            let value = highest * Int64(part) / 4
            marks += """
                <line class="grid" x1="\(Self.left)" y1="\(y(value))" x2="\(Self.right)" y2="\(y(value))"/>
                <text class="axis" x="\(Self.left - 8)" y="\(y(value) + 4)" text-anchor="end">\(value)</text>

                """
        }
        for day in Self.ticks(first, last) {
            marks += """
                <text class="axis" x="\(x(day))" y="\(Self.bottom + 20)" text-anchor="middle">\(day.text)</text>

                """
        }
        let gaps = filled(first, last)
        marks += line(gaps.map { (x($0.day), y($0.started)) }, "line")
        marks += line(gaps.map { (x($0.day), y($0.completed)) }, "line dashed")
        if days.count <= 62 {
            for day in days {
                let (started, completed) = (y(day.started), y(day.completed))
                marks += """
                    <circle class="mark" cx="\(x(day.day))" cy="\(started)" r="3"><title>\(day.day.text): \(day.started) started</title></circle>
                    <rect class="mark open" x="\(x(day.day) - 3)" y="\(completed - 3)" width="6" height="6"><title>\(day.day.text): \(day.completed) completed</title></rect>

                    """
            }
        }
        let ends = days[days.count - 1]
        let started = min(y(ends.started), Self.bottom - 18)
        marks += """
            <text x="\(Self.right + 10)" y="\(started + 4)">● started</text>
            <text x="\(Self.right + 10)" y="\(max(started + 22, y(ends.completed) + 4))">□ completed</text>

            """
        return Labels.figure(title, width: 880, height: Self.bottom + 34, marks)
    }

    /// A day without a row is a day on which nothing began.
    private func filled(_ first: Int64, _ last: Int64) -> [(day: CivilDay, started: Int64, completed: Int64)] {
        guard last - first <= 4_000 else { return days }
        var known: [Int64: (Int64, Int64)] = [:]
        for day in days { known[day.day.number] = (day.started, day.completed) }
        return (first...last).map { number in
            let (started, completed) = known[number] ?? (0, 0)
            return (CivilDay(number: number), started, completed)
        }
    }

    private func line(_ points: [(x: Int, y: Int)], _ kind: Markup) -> Markup {
        guard points.count > 1 else { return "" }
        let path = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        return """
            <polyline class="\(kind)" points="\(path)"/>

            """
    }

    /// A round number that is not less.
    private static func round(_ value: Int64) -> Int64 {
        var step: Int64 = 4
        while step < value {
            for factor: Int64 in [2, 5, 10] where step / 4 * factor * 4 >= value { return step / 4 * factor * 4 }
            step *= 10
        }
        return step
    }

    /// At most five days, the first and the last among them.
    private static func ticks(_ first: Int64, _ last: Int64) -> [CivilDay] {
        let parts = min(4, last - first)
        guard parts > 0 else { return [CivilDay(number: first)] }
        return (0...parts).map { CivilDay(number: first + (last - first) * $0 / parts) }
    }
}
