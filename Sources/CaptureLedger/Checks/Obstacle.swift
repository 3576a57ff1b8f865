import MediaChecks

/// Why the checks of a capture could not run: the capture is safe, and they come later.
package struct Obstacle: Sendable, Hashable {
    package let code: String
    /// From a fixed vocabulary.
    package let detail: String?
    /// A sentence.
    package let message: String
    package let remedy: String

    init(_ fault: CheckFault) {
        code = fault.code.rawValue
        detail = fault.detail
        message = fault.message.asSentence
        remedy = fault.remedy
    }

    init(_ error: LedgerError) {
        code = error.code.rawValue
        detail = nil
        message = error.message
        remedy = error.remedy
    }
}
