/// What a look at the ledger and its surroundings found.
package struct DoctorReport: Sendable, Equatable {
    package struct Finding: Sendable, Equatable {
        package enum Severity: String, Sendable {
            /// Good to know; nothing to do.
            case note
            case warning
            /// Something is lost, or will be.
            case error
        }

        /// An open set.
        package let code: String
        package let severity: Severity
        package let message: String
        package let remedy: String
        /// It was repaired just now.
        package let fixed: Bool
    }

    package let sqliteVersion: String
    package let schemaVersion: Int
    package let lastPosition: Int64
    package let freeBytes: Int64
    package let logBytes: Int64
    package internal(set) var findings: [Finding]

    /// Nothing is left for a person to do.
    package var isHealthy: Bool { findings.allSatisfy { $0.fixed || $0.severity == .note } }
}

extension Ledger {
    /// - Parameter fix: repairs what is safe to repair.
    package func doctor(fix: Bool) throws(LedgerError) -> DoctorReport {
        throw LedgerError(
            code: .init(rawValue: "not_available"), message: "This build examines nothing.", remedy: "Use a newer build.")
    }
}
