package import SessionDomain

/// RFC 6901 over a parsed document.
package enum JSONPointer {
    /// nil where the pointer leads nowhere; the empty pointer is the whole document.
    package static func value(at pointer: String, in document: JSONValue) -> JSONValue? {
        guard let steps = steps(pointer) else { return nil }
        var value = document
        for step in steps {
            switch value {
            case .object:
                guard let member = value[step] else { return nil }
                value = member
            case .array(let values):
                guard let index = Int(step), String(index) == step, values.indices.contains(index) else { return nil }
                value = values[index]
            default: return nil
            }
        }
        return value
    }

    package static func isValid(_ pointer: String) -> Bool { steps(pointer) != nil }

    private static func steps(_ pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.hasPrefix("/") else { return nil }
        var steps: [String] = []
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            var step = ""
            var rest = part[...]
            while let first = rest.popFirst() {
                guard first == "~" else {
                    step.append(first)
                    continue
                }
                switch rest.popFirst() {
                case "0": step.append("~")
                case "1": step.append("/")
                default: return nil
                }
            }
            steps.append(step)
        }
        return steps
    }
}
