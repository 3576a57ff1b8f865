import SessionDomain

/// Writes a flat object of canonical JSON. Keys must be added in the order of their bytes; absent values leave no key.
struct FactsWriter {
    private var json = JSONWriter()
    private var isEmpty = true

    init() { json.bytes.reserveCapacity(512) }

    mutating func add(_ key: String, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: String, _ value: Int?) { add(key, value.map { Int64($0) }) }

    mutating func add(_ key: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: String, _ value: Digest256?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: String, _ value: UUID128?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    /// Left out when false.
    mutating func flag(_ key: String, _ value: Bool) {
        guard value else { return }
        begin(key)
        json.write(.bool(true))
    }

    mutating func add(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    /// Left out when empty.
    mutating func list(_ key: String, _ values: [JSONValue]) {
        guard !values.isEmpty else { return }
        begin(key)
        json.write(.array(values))
    }

    consuming func finish() -> String {
        if isEmpty { return "{}" }
        json.bytes.append(UInt8(ascii: "}"))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private mutating func begin(_ key: String) {
        let units = key.utf8.span
        let opening = isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ",")
        isEmpty = false
        json.bytes.append(addingCapacity: units.count + 4) { output in
            output.append(opening)
            output.append(UInt8(ascii: "\""))
            for index in units.indices { output.append(units[index]) }
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
        }
    }
}
