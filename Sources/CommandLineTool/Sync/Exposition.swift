/// Figures in Prometheus' text form, version 0.0.4: for each metric its help, its type, then its samples together.
struct Exposition {
    enum Kind: String { case counter, gauge }

    private(set) var text = ""

    /// - Parameter samples: labels and a value; none leaves the metric out.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: Value)]) {
        if samples.isEmpty { return }
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
            text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value.text)\n"
        }
    }

    /// A whole number as it is, and a time in seconds out of milliseconds.
    enum Value {
        case whole(Int64)
        case seconds(milliseconds: Int64)

        var text: String {
            switch self {
            case .whole(let value): return String(value)
            case .seconds(let milliseconds):
                let sign = milliseconds < 0 ? "-" : ""
                let thousandths = String(abs(milliseconds) % 1000)
                return
                    "\(sign)\(abs(milliseconds) / 1000).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths)"
            }
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
