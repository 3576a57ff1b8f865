import CaptureLedger
import Sandbox

extension Complaint {
    init(_ problem: SettingsProblem) {
        self.init(problem.code.rawValue, problem.message, remedy: problem.remedy, exit: .configuration)
    }

    init(_ error: LedgerError) {
        self.init(error.code.rawValue, error.message, remedy: error.remedy, exit: ExitCode(error))
    }

    init(_ error: SandboxError) {
        let exit: ExitCode =
            switch error.code {
            case .cannotListen: .cannotCreate
            case .recordUnreadable, .recordUnwritable: .inputOutput
            case .scenarioInvalid: .refused
            }
        self.init(error.code.rawValue, error.message, remedy: error.remedy, exit: exit)
    }
}

extension ExitCode {
    /// A code that is not in the table is a fault of ours, unless repeating may help.
    init(_ error: LedgerError) {
        self = Self.table[error.code.rawValue] ?? (error.isRetryable ? .workLeft : .fault)
    }

    /// Error codes of the layers below and how the tool ends for each.
    static let table: [String: ExitCode] = {
        var table: [String: ExitCode] = [:]
        for (exit, codes) in groups { for code in codes { table[code] = exit } }
        for code in SettingsProblem.Code.allCases { table[code.rawValue] = .configuration }
        return table
    }()

    private static let groups: [(ExitCode, [String])] = [
        // analytics
        (.usage, ["unknown_time_zone", "follower_name_invalid", "command_id_invalid"]),
        (
            .refused,
            [
                "checkpoint_behind", "reporter_refused", "position_not_reached", "events_file_foreign", "cursor_damaged",
                "cursor_ahead",
            ]
        ),
        (.inputOutput, ["time_zone_unreadable", "analytics_unreadable"]),
        (.workLeft, ["reporter_unreachable", "reporter_failed", "analytics_in_use", "follower_in_use"]),
        (
            .refused,
            [
                // the domain's refusals
                "stale_version", "needs_newer_version", "already_started", "client_key_conflict", "not_started",
                "session_suspended", "session_completed", "session_exited", "session_expired", "session_cancelled",
                "session_erased", "erasure_requested", "erasure_not_requested", "session_none", "session_active",
                "deadline_passed", "not_due", "nothing_to_expire",
                "unknown_piece", "piece_dropped", "piece_verified", "not_current_piece", "nothing_captured",
                "already_confirmed", "capture_superseded", "capture_reused", "not_checked", "failed_checks",
                "nothing_would_remain", "not_parked", "media_gone", "score_missing", "recording_not_started",
                "card_not_detected", "transaction_already_bound", "no_hologram", "flip_not_next", "no_fallback_link",
                "interaction_needs_piece", "too_many_observations",
                // a session's configuration
                "not_json", "not_an_object", "unknown_key", "duplicate_key", "missing", "wrong_type", "unknown_name",
                "out_of_range", "no_pieces", "duplicate_piece", "card_type_missing", "newer_version",
                // data
                "command_id_conflict", "storage_corrupt", "changed_migration", "vault_damaged", "authentication_failed",
                "truncated", "unknown_format",
                "object_too_large", "key_destroyed", "schema_damaged", "not_a_ledger", "body_changed", "media_unreadable",
                "not_a_backup", "backup_damaged", "backup_foreign", "increment_without_base", "increment_is_whole",
                "increment_gap", "increment_out_of_order", "not_a_commit", "not_an_export", "rows_damaged",
                "tombstones_damaged", "tombstones_foreign", "ledger_damaged",
                "checkpoint_contradicts", "signing_key_mismatch", "event_missing",
                "no_events",
                "note_malformed", "key_malformed", "proof_malformed", "signature_wrong", "proof_wrong", "witness_refused",
                "witness_ahead", "witness_conflict", "cosignature_wrong",
                "media_destroyed", "media_too_large", "unexpected_kind",
            ]
        ),
        (
            .notFound,
            [
                "no_such_ledger", "no_such_session", "no_such_file", "no_such_delivery", "no_such_capture",
                "no_such_destination", "no_such_subject", "not_found", "file_unreadable", "object_missing", "vault_missing",
                "key_unknown",
                "no_such_version", "no_such_position", "not_begun", "no_such_event",
            ]
        ),
        (
            .cannotCreate,
            [
                "cannot_create", "ledger_exists", "folder_not_empty", "no_such_group", "already_exists", "vault_exists",
                "object_exists",
                "master_key_exists", "file_exists", "no_such_folder", "bad_folder",
            ]
        ),
        (
            .inputOutput,
            [
                "storage_low", "export_damaged", "storage_full", "storage_failed", "storage_io", "storage_unexpected",
                "input_output",
                "too_many_open_files", "output_closed",
            ]
        ),
        (
            .workLeft,
            [
                "busy", "vault_busy", "master_key_rotated", "would_block", "another_run_works", "timed_out", "stopped",
                "locked", "witness_unreachable", "cosignature_missing",
            ]
        ),
        (.notPermitted, ["read_only", "permission_denied", "not_permitted", "master_key_shut", "tombstones_unwritable"]),
        (
            .configuration,
            [
                "master_key_missing", "master_key_exposed", "master_key_malformed", "wrong_master_key", "needs_migration",
                "no_tombstones", "tombstones_missing", "vault_too_new", "configuration", "address_refused",
                "settings_not_changed", "settings_incomplete", "settings_name_another_key",
                // what checks need
                "runner_missing", "decoder_missing", "decoder_unavailable", "model_missing", "model_damaged", "not_ready",
                "policy_unreadable", "policy_not_json", "policy_key_unknown", "policy_key_missing",
                "policy_wrong_type", "policy_out_of_range", "policy_name_unknown",
            ]
        ),
    ]
}
