import SchemaFiles

/// A table that is carried from ledger to ledger row by row: everything that is not derived from other rows.
struct RowTable: Sendable {
    enum Kind: String, Sendable { case integer, text, blob }

    struct Column: Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let columns: [Column]
    /// Rows in order; ?1 is the position behind which a part begins, 0 for all.
    let rows: [UInt8]
    let take: [UInt8]
    /// Removes what a part brings again; ?1 as above.
    let forget: [UInt8]?
    /// It lies in keys.sqlite.
    var isInKeys = false
    /// Its first column grows from row to row.
    var isOrdered = true
    /// It counts 1, 2, 3 …
    var isGapless = false

    /// `i`, `t` and `b` before a column's name: integer, text, blob.
    init(_ name: String, _ columns: String, rows: [UInt8], take: [UInt8], forget: [UInt8]? = nil, isOrdered: Bool = true) {
        self.name = name
        self.columns = columns.split(separator: " ").map { word in
            let kind: Kind =
                switch word.first {
                case "t": .text
                case "b": .blob
                default: .integer
                }
            return Column(name: String(word.dropFirst(2)), kind: kind)
        }
        self.rows = rows
        self.take = take
        self.forget = forget
        self.isOrdered = isOrdered
    }

    func inKeys() -> RowTable {
        var table = self
        table.isInKeys = true
        table.isGapless = isOrdered
        return table
    }
}

extension RowTable {
    /// In the order in which they are carried: what a row names comes before it.
    static let all: [RowTable] = keys + log + delivery + proof

    /// Those of keys.sqlite come first.
    static let keyCount = keys.count

    private static let keys: [RowTable] = [
        RowTable(
            "ledger_key", "t:name b:wrapped", rows: SchemaFiles.rowsLedgerKey, take: SchemaFiles.takeLedgerKey,
            isOrdered: false
        ).inKeys(),
        RowTable(
            "session_key", "i:key_no i:state b:wrapped i:destroyed_at_ms", rows: SchemaFiles.rowsSessionKey,
            take: SchemaFiles.takeSessionKey
        ).inKeys(),
    ]

    private static let log: [RowTable] = [
        RowTable(
            "configuration", "b:digest t:json", rows: SchemaFiles.rowsConfiguration, take: SchemaFiles.takeConfiguration,
            isOrdered: false),
        RowTable(
            "session", "i:session_no b:session_id i:key_no", rows: SchemaFiles.rowsSession, take: SchemaFiles.takeSession),
        RowTable(
            "event",
            "i:position i:session_no i:version b:event_id i:type i:schema_version i:recorded_at_ms i:occurred_at_ms i:flags t:command_id t:correlation_id i:causation_position t:actor i:piece b:capture_id i:source i:outcome t:reason i:duration_ms t:facts b:private",
            rows: SchemaFiles.rowsEvent, take: SchemaFiles.takeEvent),
        RowTable(
            "event_commit", "i:last_position i:first_position i:committed_at_ms b:chain", rows: SchemaFiles.rowsEventCommit,
            take: SchemaFiles.takeEventCommit),
        RowTable(
            "receipt", "i:session_no t:command_id b:body_digest i:first_position i:event_count",
            rows: SchemaFiles.rowsReceipt, take: SchemaFiles.takeReceipt, forget: SchemaFiles.forgetReceipt, isOrdered: false),
        RowTable(
            "private_lookup", "i:kind b:digest i:session_no", rows: SchemaFiles.rowsPrivateLookup,
            take: SchemaFiles.takePrivateLookup, forget: SchemaFiles.forgetPrivateLookup, isOrdered: false),
        RowTable(
            "erasure", "i:session_no i:requested_at_ms i:key_destroyed_at_ms i:swept_at_ms", rows: SchemaFiles.rowsErasure,
            take: SchemaFiles.takeErasure, forget: SchemaFiles.forgetErasure),
        RowTable(
            "erasure_request", "i:session_no i:position i:requested_at_ms i:due_at_ms", rows: SchemaFiles.rowsErasureRequest,
            take: SchemaFiles.takeErasureRequest, forget: SchemaFiles.forgetErasureRequest),
        RowTable(
            "media_destruction", "b:capture_id i:session_no", rows: SchemaFiles.rowsMediaDestruction,
            take: SchemaFiles.takeMediaDestruction, forget: SchemaFiles.forgetMediaDestruction, isOrdered: false),
        RowTable(
            "retention_cursor", "i:only_row i:session_no", rows: SchemaFiles.rowsRetentionCursor,
            take: SchemaFiles.takeRetentionCursor, forget: SchemaFiles.forgetRetentionCursor),
        RowTable(
            "clock_anchor", "i:only_row b:boot_id i:boottime_ms i:wall_ms i:jumps_ms", rows: SchemaFiles.rowsClockAnchor,
            take: SchemaFiles.takeClockAnchor, forget: SchemaFiles.forgetClockAnchor),
    ]

    private static let delivery: [RowTable] = [
        RowTable(
            "attempt",
            "i:attempt_no i:delivery_no b:delivery_id i:number i:fence t:destination t:kind i:started_at_ms i:finished_at_ms t:certainty i:curl_code i:status i:bytes_sent i:bytes_received t:explanation t:action i:retry_after_ms i:next_attempt_at_ms i:table_version b:evidence_id b:evidence_digest",
            rows: SchemaFiles.rowsAttempt, take: SchemaFiles.takeAttempt),
        RowTable(
            "delivery_work",
            "i:delivery_no i:claims i:attempts i:fence t:holder i:next_attempt_at_ms i:first_sent_at_ms b:frozen b:body_digest b:status_address i:contract_breaks i:unclear t:explanation",
            rows: SchemaFiles.rowsDeliveryWork, take: SchemaFiles.takeDeliveryWork),
        RowTable(
            "destination_state",
            "t:destination t:paused_reason i:paused_at_ms i:probe_at_ms t:paused_credential b:contract_break_witness i:failures i:last_delivered_at_ms i:breaker_until_ms i:breaker_openings t:breaker_reason",
            rows: SchemaFiles.rowsDestinationState, take: SchemaFiles.takeDestinationState,
            forget: SchemaFiles.forgetDestinationState, isOrdered: false),
        RowTable(
            "session_pause", "i:session_no i:position i:paused_at_ms", rows: SchemaFiles.rowsSessionPause,
            take: SchemaFiles.takeSessionPause, forget: SchemaFiles.forgetSessionPause),
    ]

    private static let proof: [RowTable] = [
        RowTable(
            "signing_key", "i:generation b:public_key i:created_at_ms b:endorsement", rows: SchemaFiles.rowsSigningKey,
            take: SchemaFiles.takeSigningKey),
        RowTable(
            "checkpoint", "i:tree_size b:root i:generation i:signed_at_ms t:note", rows: SchemaFiles.rowsCheckpoint,
            take: SchemaFiles.takeCheckpoint),
        RowTable(
            "witnessed", "t:destination i:tree_size i:witnessed_at_ms t:cosignature", rows: SchemaFiles.rowsWitnessed,
            take: SchemaFiles.takeWitnessed, forget: SchemaFiles.forgetWitnessed, isOrdered: false),
    ]
}
