/// How much a line matters; the order of the cases is the order of `<`.
package enum Level: Int, Sendable, Comparable, CaseIterable {
    case debug, info, notice, warning, error

    package var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The level of that name, in lower case; nil for any other text.
    package init?(name: String) {
        guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
