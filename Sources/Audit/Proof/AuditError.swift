/// Why a note, a key or a proof does not hold.
package struct AuditError: Error, Sendable, Hashable {
    /// An open set: a new code never breaks a `switch`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let noteMalformed = Self(rawValue: "note_malformed")
        package static let keyMalformed = Self(rawValue: "key_malformed")
        package static let proofMalformed = Self(rawValue: "proof_malformed")
        /// No signature of the key, or a wrong one.
        package static let signatureWrong = Self(rawValue: "signature_wrong")
        /// The path does not lead to the root that was signed.
        package static let proofWrong = Self(rawValue: "proof_wrong")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var remedy: String {
        switch code {
        case .noteMalformed: "Ask for the checkpoint again, as the file that audit checkpoint --out wrote."
        case .keyMalformed:
            "Give the line as its owner gives it, for a ledger's the one that audit checkpoint prints: NAME+HASH+KEY."
        case .proofMalformed: "Ask for the proof again, as audit prove prints it."
        case .signatureWrong: "Check that the key is the ledger's own, had from somebody you trust; else trust nothing of it."
        default: "Trust nothing of it: ask for another proof, and run audit verify on the ledger."
        }
    }
}
