/// Why something did not open. It never says what was inside.
package enum CryptographyError: String, Error, Sendable {
    /// The tag does not fit: altered, moved, sealed for something else, or another key.
    case authenticationFailed = "authentication_failed"
    /// Shorter than any sealed object of its kind, or cut at a place where none ends.
    case truncated
    /// It does not start as an object of its kind does.
    case unknownFormat = "unknown_format"
    /// More than 2³² chunks.
    case tooLarge = "too_large"

    package var code: String { rawValue }

    package var message: String {
        switch self {
        case .authenticationFailed: "the sealed bytes were altered, moved, or sealed with another key"
        case .truncated: "the sealed bytes are cut short"
        case .unknownFormat: "these are not sealed bytes of this format"
        case .tooLarge: "the object is larger than the format allows"
        }
    }

    package var remedy: String {
        switch self {
        case .authenticationFailed, .truncated: "Restore the file from a backup, and run verify to see what else is affected."
        case .unknownFormat: "Restore the file from a backup, or open it with the version that wrote it."
        case .tooLarge: "Split the object."
        }
    }
}
