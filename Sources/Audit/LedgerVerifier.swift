import Cryptography
package import EventStorage
package import SQLite
import SchemaFiles
import SessionDomain
package import Vault

/// Recomputes what a ledger promises about its stored bytes: positions, versions, commits, the chain, the tree with its tiles and
/// checkpoints, and what the events name: media, attempts, evidence, configurations, keys. It writes nothing, reads in pages so that
/// the write-ahead log can be reset under it, and its memory does not grow with the ledger. Events appended while it runs are
/// left for the next time.
///
/// With the vault it also opens what is sealed; without, it compares the digests of the sealed bytes.
package final class LedgerVerifier {
    let connection: Connection
    let vault: Vault?
    let files: SealedFiles?
    let options: AuditOptions
    let reader: EventReader
    var report = VerificationReport()

    /// - Parameter connection: a reading connection, which the verifier has for itself while it runs.
    /// - Parameter files: nil to look at the log alone.
    package init(
        _ connection: Connection, files: SealedFiles?, vault: Vault?, options: AuditOptions = AuditOptions()
    ) throws(StorageError) {
        self.connection = connection
        self.files = options.checksContent ? files : nil
        self.vault = options.checksContent ? vault : nil
        self.options = options
        reader = try EventReader(connection)
    }

    /// - Throws: what keeps the log itself from being read; a damaged ledger is a report with problems, not an error.
    package func verify() throws(StorageError) -> VerificationReport {
        report = VerificationReport()
        do throws(StorageError) {
            try verifyEverything()
        } catch {
            guard error.code == .corrupt || error.code == .eventMissing else { throw error }
            report.add(.databaseDamaged, at: report.events + 1, "Reading stopped here. \(error.message)")
        }
        report.sort()
        return report
    }

    private func verifyEverything() throws(StorageError) {
        if options.checksContent { try checkDatabase() }
        let identity = try EventDatabase.identity(connection)
        let checkpoints = try CheckpointCheck(connection, identity, options, into: &report)
        let witness = LogWitness(
            checkpoints: checkpoints, tiles: try TileCheck(connection),
            content: files.map { ContentCheck(files: $0, vault: vault, reader: reader) })
        let pass = try LogPass(connection, ledgerID: identity.ledgerID)
        try pass.run(through: min(options.through, try lastEvent()), witness, into: &report)
        for problem in witness.report.problems { report.add(problem) }
        report.takeCounts(of: witness.report)
        // what was appended meanwhile is left for the next time, and is no reason to call it missing
        let end = max(pass.hashed, try lastEvent())
        pass.finish(end: end, into: &report)
        try witness.tiles.finish(size: end, into: &report)
        try checkpoints.finish(size: pass.hashed, end: end, vault, into: &report)
        try checkCosignatures()
        try checkVersions()
        guard options.checksContent else { return }
        try checkConfigurations()
        if let files { try checkEvidence(files) }
        checkKeys()
    }

    /// Of the events themselves: the commits may have been cut off.
    private func lastEvent() throws(StorageError) -> Int64 {
        try stored { () throws(SQLiteError) in
            let newest = try Statement(connection, SchemaFiles.lastEvent)
            return try newest.step() ? newest.int64(0) : 0
        }
    }

    /// Through the index, which a session's events are read by.
    private func checkVersions() throws(StorageError) {
        let rows = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.eventsByVersion) }
        var (session, version, position) = (Int64.min, Int64(0), Int64(0))
        while try stored({ () throws(SQLiteError) in try rows.step() }) {
            if rows.int64(0) != session { (session, version, position) = (rows.int64(0), 0, 0) }
            if rows.int64(1) != version + 1 {
                report.add(
                    .versionGap, at: rows.int64(2),
                    "Version \(rows.int64(1)) follows version \(version) in the event's session.")
            } else if rows.int64(2) <= position {
                report.add(
                    .versionsOutOfOrder, at: rows.int64(2),
                    "An event stands before the one that it follows in its session.")
            }
            (version, position) = (rows.int64(1), rows.int64(2))
        }
    }
}

/// Hands what goes by to the checks that it concerns.
private final class LogWitness: LogPass.Witness {
    let checkpoints: CheckpointCheck
    let tiles: TileCheck
    private let content: ContentCheck?
    var report = VerificationReport()

    init(checkpoints: CheckpointCheck, tiles: TileCheck, content: ContentCheck?) {
        self.checkpoints = checkpoints
        self.tiles = tiles
        self.content = content
    }

    func wants(type: Int, hasPrivateHalf: Bool) -> Bool {
        CheckpointCheck.types.contains(type) || content?.wants(type: type, hasPrivateHalf: hasPrivateHalf) ?? false
    }

    func sizes(after first: Int64, through last: Int64) throws(StorageError) -> [Int64] {
        try checkpoints.sizes(after: first, through: last, into: &report)
    }

    func look(at events: [StoredEvent]) throws(StorageError) {
        for event in events {
            checkpoints.look(at: event)
            try content?.check(event, into: &report)
        }
    }

    func note(root: Digest, size: Int64) { checkpoints.note(root: root, size: size, into: &report) }
    func note(nodes: [Digest]) throws(StorageError) { try tiles.add(nodes, into: &report) }
}

extension VerificationReport {
    mutating func takeCounts(of other: VerificationReport) {
        media += other.media
        openedMedia += other.openedMedia
        openedPrivateHalves += other.openedPrivateHalves
        attempts += other.attempts
        sealedElsewhere += other.sealedElsewhere
        checkpoints += other.checkpoints
        treeNodes += other.treeNodes
        provenThrough = max(provenThrough, other.provenThrough)
    }
}
