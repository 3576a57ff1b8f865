/// One named value of a line.
///
/// Whatever may name a person, or open a door, is built with ``secret(_:)``: its value is not even kept, so no sink can print it.
package struct Field: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)
        case redacted
    }

    package let name: String
    package let value: Value

    package init(_ name: String, _ value: String) { self.init(name: name, value: .text(value)) }
    package init(_ name: String, _ value: some BinaryInteger) { self.init(name: name, value: .integer(Int64(clamping: value))) }
    package init(_ name: String, _ value: Double) { self.init(name: name, value: .number(value)) }
    package init(_ name: String, _ value: Bool) { self.init(name: name, value: .flag(value)) }

    /// A field that is there, and whose value nobody may read.
    package static func secret(_ name: String) -> Field { Field(name: name, value: .redacted) }

    private init(name: String, value: Value) {
        self.name = name
        self.value = value
    }
}
