import CaptureLedger
import SessionDomain
import Testing

@testable import CommandLineTool

struct ExitCodeTests {
    @Test func `the numbers are those of the contract`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78])
    }

    @Test(arguments: [
        ("stale_version", ExitCode.refused), ("not_current_piece", .refused), ("client_key_conflict", .refused),
        ("no_such_ledger", .notFound), ("no_such_session", .notFound), ("no_such_file", .notFound),
        ("ledger_exists", .cannotCreate), ("file_exists", .cannotCreate), ("no_such_folder", .cannotCreate),
        ("storage_full", .inputOutput), ("storage_low", .inputOutput),
        ("another_run_works", .workLeft), ("read_only", .notPermitted), ("wrong_master_key", .configuration),
        ("unknown_setting", .configuration), ("needs_migration", .configuration), ("something_new", .fault),
    ])
    func `S97 each error code has one exit code`(code: String, exit: ExitCode) {
        let error = LedgerError(code: .init(rawValue: code), message: "m", remedy: "r")
        #expect(ExitCode(error) == exit)
        #expect(Complaint(error) == Complaint(code, "m", remedy: "r", exit: exit))
    }

    @Test func `an unknown error that may pass by itself asks for another try`() {
        #expect(ExitCode(LedgerError(code: .init(rawValue: "new"), message: "", remedy: "", isRetryable: true)) == .workLeft)
    }

    @Test func `every refusal of the domain is a refusal here`() {
        let refusals: [Rejection] = [
            .staleVersion(expected: 1, actual: 2), .needsNewerVersion, .alreadyStarted, .clientKeyConflict, .notStarted,
            .sessionSuspended, .sessionClosed(.completed), .sessionClosed(.exited), .sessionClosed(.expired),
            .sessionClosed(.cancelled), .sessionErased, .deadlinePassed, .notDue, .nothingToExpire, .unknownPiece(.selfie),
            .pieceDropped(.selfie), .pieceVerified(.selfie), .notCurrentPiece(.selfie, current: nil), .nothingCaptured(.selfie),
            .alreadyConfirmed(.selfie), .captureSuperseded(.selfie), .captureReused, .notChecked(.selfie),
            .failedChecks(.selfie),
            .nothingWouldRemain, .notParked(.selfie), .mediaGone(.selfie), .scoreMissing, .recordingNotStarted,
            .cardNotDetected,
            .transactionAlreadyBound, .noHologram, .flipNotNext, .noFallbackLink, .interactionNeedsPiece,
            .tooManyObservations(limit: 1),
        ]
        for refusal in refusals { #expect(ExitCode.table[refusal.code] == .refused, "\(refusal.code)") }
        for code in ConfigurationProblem.Code.allCases { #expect(ExitCode.table[code.rawValue] != nil, "\(code.rawValue)") }
    }
}
