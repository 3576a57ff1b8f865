import Audit
import Cryptography
import HTMLPages
import Outbox
import SessionDomain
import SystemCalls
import Vault

/// One export on its way into its file.
final class EvidenceExport {
    let ledger: Ledger
    let collected: CollectedSession
    let proof: ExportProof
    let options: EvidenceExportOptions
    let writer: EvidenceWriter
    let exportedAtMilliseconds: Int64
    var leftOut: [ReportContent.LeftOut] = []
    private let files: BackupFiles
    /// What was first said of each delivery: what a worker adds meanwhile is for the next export.
    private var extents: [Int64: CollectedSession.Extent] = [:]

    init(
        _ ledger: Ledger, _ collected: CollectedSession, _ proof: ExportProof, _ options: EvidenceExportOptions,
        into files: BackupFiles
    ) throws(LedgerError) {
        self.files = files
        writer = EvidenceWriter(try files.makeWithoutName())
        self.ledger = ledger
        self.collected = collected
        self.proof = proof
        self.options = options
        exportedAtMilliseconds = ledger.clock.nowMilliseconds()
    }

    /// What is not media: the session, its configuration, events, findings, the policy, deliveries.
    func writeRecords() throws(LedgerError) {
        try add(.session, try session.canonicalBytes + [0x0A])
        if let configuration = collected.configuration { try add(.configuration, Array(configuration.utf8)) }
        try grow(.events) { (spool) throws(LedgerError) in
            try collected.events.readEach { (event) throws(LedgerError) in
                try spool.write(Self.line(event).canonicalBytes + [0x0A])
            }
        }
        try grow(.findings) { (spool) throws(LedgerError) in
            try collected.events.readEach { (event) throws(LedgerError) in
                for finding in event.record.findings { try spool.write(finding.canonicalBytes + [0x0A]) }
            }
        }
        if let policies { try add(.policies, policies.canonicalBytes + [0x0A]) }
        try grow(.deliveries) { (spool) throws(LedgerError) in
            for row in collected.deliveries {
                try spool.write(Self.line(try details(of: row)).canonicalBytes + [0x0A])
            }
        }
    }

    func writeRequests() throws(LedgerError) {
        for row in collected.deliveries.sorted(by: { $0.id.uuid < $1.id.uuid }) {
            let delivery = try details(of: row)
            if let request = delivery.request {
                try add(.request(row.id.uuid), request.json.canonicalBytes + [0x0A])
            } else if delivery.bodyDigest != nil {
                leaveOut(.request(row.id.uuid), absence ?? "it does not open")
            }
        }
    }

    func details(of row: DeliveryRow) throws(LedgerError) -> CollectedSession.Delivery {
        let now = try ledger.details(of: row, in: collected)
        guard let extent = extents[row.number] else {
            extents[row.number] = now.extent
            return now
        }
        return now.upTo(extent)
    }

    private var session: JSONValue {
        get throws(LedgerError) {
            var members: [JSONValue.Member] = [
                .init("session_id", .string(collected.id.text)), .init("ledger_id", .string(ledger.ledgerID.text)),
                .init("redacted", .bool(options.isRedacted)), .init("erased", .bool(collected.isErased)),
                .init("status", .string(collected.view.flow.status.rawValue)),
                .init("phase", .string(collected.view.flow.phase.rawValue)),
                .init("version", .integer(collected.outline.lastVersion)),
                .init(
                    "pieces",
                    .array(
                        collected.view.flow.pieces.map { piece in
                            .members([
                                .init("piece", .string(piece.piece.rawValue)), .init("status", .string(piece.status.rawValue)),
                                .init("captures", .integer(Int64(piece.attempts))),
                            ])
                        })),
            ]
            if let key = collected.key {
                let own = try unlocked { () throws(VaultError) in try key.disclosedCommitmentKey() }
                members.append(.init("commitment_key", .string(Digest(own)?.hex ?? "")))
            }
            return .members(members)
        }
    }

    private static func line(_ event: ReportContent.Event) -> JSONValue {
        let record = event.record
        var members = record.json.asMembers ?? []
        members.append(.init("row", .string(Base64.encode(record.row))))
        members.append(.init("leaf", .string(record.leaf.hex)))
        if let half = event.privateHalf.json { members.append(.init("private", half)) }
        return .members(members)
    }

    private static func line(_ delivery: CollectedSession.Delivery) -> JSONValue {
        let row = delivery.row
        let attempts = delivery.attempts.map { attempt in
            JSONValue.members(
                (attempt.json.asMembers ?? []) + [
                    .init("row", .string(Base64.encode(attempt.row))), .init("digest", .string(attempt.digest.hex)),
                ])
        }
        var members: [JSONValue.Member] = [
            .init("delivery_id", .string(row.id.text)), .init("capture_id", .string(row.capture.text)),
            .init("piece", .string(Piece(code: row.pieceCode)?.rawValue ?? String(row.pieceCode))),
            .init("destination", .string(row.destination)), .init("status", .string(row.status.name)),
            .init("confirmed_position", .integer(row.number)),
            .init("confirmed_at_ms", .integer(row.confirmedAtMilliseconds)), .init("attempts", .array(attempts)),
        ]
        if let cause = row.cause { members.append(.init("cause", .string(cause))) }
        if let position = row.settledPosition { members.append(.init("settled_position", .integer(position))) }
        if let digest = delivery.bodyDigest.flatMap({ Digest($0) }) {
            members.append(.init("request", .members([.init("frozen_sha256", .string(digest.hex))])))
        }
        return .members(members)
    }

    /// The policy in force, where a judgement of the session names it: every threshold of others is in the findings.
    private var policies: JSONValue? {
        guard let policy = try? ledger.checks.tools.policy() else { return nil }
        return collected.policies.contains(policy.identity) ? .members([.init(policy.identity, policy.json)]) : nil
    }

    func add(_ name: EvidenceName, _ content: [UInt8]) throws(LedgerError) {
        _ = try called { () throws(SystemError) in try writer.add(name, content) }
    }

    /// Adds an entry whose size is known when all of it was written.
    func grow(_ name: EvidenceName, _ body: (Spool) throws(LedgerError) -> Void) throws(LedgerError) {
        let spool = try Spool(files, at: files.report)
        try body(spool)
        try spool.flush()
        try called { () throws(SystemError) in try writer.add(name, spool.file) }
    }

    /// Why nothing that is sealed is here; nil where what is there is opened.
    var absence: String? {
        if collected.isErased { return "the session is erased" }
        return options.isRedacted ? "this export is redacted" : nil
    }

    func leaveOut(_ name: EvidenceName, _ why: String) {
        leftOut.append(ReportContent.LeftOut(entry: name.text, why: why))
    }

    /// What the report shows at once; the rest it asks `source` for.
    var report: EvidenceReport {
        EvidenceReport(
            ReportContent(
                session: collected.id.uuid, ledger: ledger.ledgerID, exportedAtMilliseconds: exportedAtMilliseconds,
                isRedacted: options.isRedacted, isErased: collected.isErased,
                status: collected.view.flow.status.rawValue, context: collected.view.configuration?.analyticsContext,
                pieces: collected.view.flow.pieces.map {
                    .init(name: $0.piece.rawValue, status: $0.status.rawValue, captures: $0.attempts)
                }, outline: collected.outline, leftOut: leftOut, proof: proof.shown))
    }

    var source: ReportSource<LedgerError> {
        let (collected, pictures) = (collected, EvidencePictures(ledger, collected))
        return ReportSource(
            forEachEvent: { (body) throws(LedgerError) in try collected.events.readEach(body) },
            event: { (position) throws(LedgerError) in try collected.events.event(at: position) },
            deliveries: { (capture) throws(LedgerError) in
                var shown: [ReportContent.Delivery] = []
                for row in collected.deliveries where row.capture.uuid == capture {
                    let attempts = try self.details(of: row).attempts
                    var answers: [UUID128: String] = [:]
                    for id in attempts.compactMap(\.evidenceID) { answers[id] = self.ledger.shownAnswer(id, collected.key) }
                    shown.append(
                        .init(
                            id: row.id.uuid, capture: capture, destination: row.destination, status: row.status.name,
                            cause: row.cause, attempts: attempts, answers: answers))
                }
                return shown
            },
            pictures: { (media, record) throws(LedgerError) in pictures.pictures(of: media, piece: record.piece) })
    }
}
