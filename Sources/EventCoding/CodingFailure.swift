/// Why a stored event cannot be read. It names the event's type and field, never what the field held.
package struct CodingFailure: Error, Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case notJSON = "event_not_json"
        case fieldMissing = "event_field_missing"
        case fieldInvalid = "event_field_invalid"
        case configurationMissing = "configuration_missing"
        case configurationInvalid = "configuration_invalid"
    }

    package let code: Code
    /// Name of the event's type.
    package let type: String
    /// The field that is wrong; empty where it is the whole.
    package let field: String

    package init(_ code: Code, type: String, field: String) {
        self.code = code
        self.type = type
        self.field = field
    }

    package var message: String {
        switch code {
        case .notJSON: "The facts of a stored \(type) event are not JSON."
        case .fieldMissing: "A stored \(type) event lacks its field \(field)."
        case .fieldInvalid: "A stored \(type) event holds something else than its field \(field) may."
        case .configurationMissing: "The configuration that a stored \(type) event names is not in the ledger."
        case .configurationInvalid: "The configuration that a stored \(type) event names cannot be read."
        }
    }

    package var remedy: String { "Run audit verify: the ledger was damaged or altered; restore it from a backup." }
}
