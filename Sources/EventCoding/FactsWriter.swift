import SessionDomain

/// Writes a flat object of canonical JSON. Keys must be added in the order of their bytes; absent values leave no key.
struct FactsWriter {
    private var json = JSONWriter()
    private var isEmpty = true

    init() {}

    mutating func add(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: StaticString, _ value: Int?) { add(key, value.map { Int64($0) }) }

    mutating func add(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    mutating func add(_ key: StaticString, _ value: Digest256?) { add(key, value?.hex) }
    mutating func add(_ key: StaticString, _ value: UUID128?) { add(key, value?.text) }

    /// Left out when false.
    mutating func flag(_ key: StaticString, _ value: Bool) {
        guard value else { return }
        begin(key)
        json.write(.bool(true))
    }

    mutating func add(_ key: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        begin(key)
        json.write(value)
    }

    /// Left out when empty.
    mutating func list(_ key: StaticString, _ values: [JSONValue]) {
        guard !values.isEmpty else { return }
        begin(key)
        json.write(.array(values))
    }

    consuming func finish() -> String {
        if isEmpty { return "{}" }
        json.bytes.append(UInt8(ascii: "}"))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private mutating func begin(_ key: StaticString) {
        json.bytes.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        isEmpty = false
        json.write(key.description)
        json.bytes.append(UInt8(ascii: ":"))
    }
}
