import EventCoding
package import EventStorage
package import MediaChecks
import SessionDomain
import SystemCalls
import Vault

extension LedgerError {
    package init(_ error: StorageError) {
        self.init(
            code: .init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy,
            isRetryable: error.code == .full || error.code == .inputOutput || error.code == .unexpected)
    }

    init(_ error: VaultError) {
        self.init(
            code: .init(rawValue: error.code.rawValue), message: error.message.asSentence,
            remedy: error.remedy,
            isRetryable: error.code == .storageFull || error.code == .storageFailed || error.code == .vaultBusy)
    }

    init(_ error: SystemError) {
        self.init(
            code: .init(rawValue: error.code.rawValue), message: error.message + ".", remedy: error.remedy,
            isRetryable: error.code == .storageFull || error.code == .tooManyOpenFiles || error.code == .inputOutput)
    }

    init(_ rejection: Rejection) {
        self.init(code: .init(rawValue: rejection.code), message: rejection.message, remedy: rejection.remedy)
    }

    init(_ problem: SettingsProblem) {
        self.init(code: .init(rawValue: problem.code.rawValue), message: problem.message, remedy: problem.remedy)
    }

    package init(_ problem: PolicyProblem) {
        self.init(code: .init(rawValue: problem.code.rawValue), message: problem.message, remedy: problem.remedy)
    }

    static func noSession() -> LedgerError {
        LedgerError(
            code: .init(rawValue: "no_such_session"), message: "This ledger has no session with that id.",
            remedy: "List its sessions with `session list`, and check that --ledger names the right folder.")
    }

    static let commandConflict = LedgerError(
        code: .init(rawValue: "command_id_conflict"),
        message: "This command id was used in this session before, for a command with another body.",
        remedy: "Use a new command id for a new command; repeat a command only with exactly its first arguments.")
}

/// Runs one step of a layer below and says what it threw in the façade's words.
func translated<Value: ~Copyable>(_ body: () throws(StorageError) -> Value) throws(LedgerError) -> Value {
    do { return try body() } catch { throw LedgerError(error) }
}

func unlocked<Value: ~Copyable>(_ body: () throws(VaultError) -> Value) throws(LedgerError) -> Value {
    do { return try body() } catch { throw LedgerError(error) }
}

func called<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(LedgerError) -> Value {
    do { return try body() } catch { throw LedgerError(error) }
}
