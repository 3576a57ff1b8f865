/// The form of RFC 9110 that servers send.
enum HTTPDateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(_ seconds: Int64) -> String {
        let day = seconds / 86_400
        var year: Int64 = 1970
        var left = day
        while left >= daysIn(year) {
            left -= daysIn(year)
            year += 1
        }
        let lengths: [Int64] = [31, daysIn(year) == 366 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while left >= lengths[month] {
            left -= lengths[month]
            month += 1
        }
        let time = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        return "\(days[Int(day % 7)]), \(two(left + 1)) \(months[month]) \(year) \(time) GMT"
    }

    private static func daysIn(_ year: Int64) -> Int64 { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
}
