/// What is wrong with a configuration, as one sentence that says where.
public struct ConfigurationProblem: Error, Hashable, Sendable {
    public enum Code: String, Sendable, CaseIterable {
        case notJSON = "not_json"
        case notAnObject = "not_an_object"
        case unknownKey = "unknown_key"
        case duplicateKey = "duplicate_key"
        case missing = "missing"
        case wrongType = "wrong_type"
        case unknownName = "unknown_name"
        case outOfRange = "out_of_range"
        case noPieces = "no_pieces"
        case duplicatePiece = "duplicate_piece"
        case cardTypeMissing = "card_type_missing"
        case newerVersion = "newer_version"
    }

    public let code: Code
    /// Where, such as `copy.passport_front.title`.
    public let path: String
    public let message: String
    public let remedy: String

    init(_ code: Code, at path: String, _ message: String, remedy: String) {
        self.code = code
        self.path = path
        self.message = message
        self.remedy = remedy
    }
}
