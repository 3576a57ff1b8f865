import Audit
import MediaChecks
import SessionDomain
import SystemCalls
import Vault

extension EvidenceExport {
    private static let partSize = 1 << 18

    /// Answers, originals and pages, opened a chunk at a time.
    func writeMedia() throws(LedgerError) {
        var answers: Set<UUID128> = []
        for row in collected.deliveries {
            answers.formUnion(try details(of: row).attempts.compactMap(\.evidenceID))
        }
        for id in answers.sorted() { try write(.answer(id), .evidence, id, of: nil) }
        let media = collected.media.sorted {
            ($0.named.isCrop ? 1 : 0, $0.named.id) < ($1.named.isCrop ? 1 : 0, $1.named.id)
        }
        for media in media { try write(.media(media.named), .media, media.named.id, of: media.capture) }
        try add(
            .leftOut,
            leftOut.flatMap { left in
                JSONValue.members([.init("entry", .string(left.entry)), .init("why", .string(left.why))]).canonicalBytes + [
                    0x0A
                ]
            })
    }

    private func write(
        _ name: EvidenceName, _ kind: SealedKind, _ id: UUID128, of capture: UUID128?
    ) throws(LedgerError) {
        guard let key = collected.key else {
            leaveOut(name, absence ?? "its key cannot be had")
            return
        }
        let reader: SealedReader
        do throws(VaultError) { reader = try ledger.vaultOrThrow().read(kind, ObjectID(id), key: key) } catch {
            switch error.code {
            case .objectMissing: leaveOut(name, capture.flatMap { collected.purges[$0] } ?? "it is not in the ledger any more")
            case .keyDestroyed: throw LedgerError(error)
            default: leaveOut(name, "it does not open")
            }
            return
        }
        // A chunk that does not open must not leave half an entry behind.
        guard (try? reader.verify()) != nil else {
            leaveOut(name, "it does not open")
            return
        }
        var fault: VaultError?
        do throws(SystemError) {
            try writer.add(name, size: reader.byteCount) { (offset) throws(SystemError) in
                do throws(VaultError) {
                    return try reader.read(at: offset, limit: Self.partSize)
                } catch {
                    fault = error
                    throw SystemError(.inputOutput, call: "read", path: name.text)
                }
            }
        } catch { throw fault.map { LedgerError($0) } ?? LedgerError(error) }
    }

    /// The page that people read.
    func writeReport() throws(LedgerError) {
        try grow(.report) { (spool) throws(LedgerError) in
            try report.write(asking: source) { (part) throws(LedgerError) in try spool.write(part.text.utf8) }
        }
    }

    /// The listing and the manifest; the file's size.
    func finish() throws(LedgerError) -> Int64 {
        let listing = try called { () throws(SystemError) in try writer.addListing() }
        let manifest = EvidenceManifest(
            ledgerID: ledger.ledgerID, epoch: ledger.epoch, session: collected.id.uuid, isRedacted: options.isRedacted,
            exportedAtMilliseconds: exportedAtMilliseconds, version: collected.outline.lastVersion,
            events: collected.outline.events,
            entries: writer.entries, listing: listing)
        try add(.manifest, manifest.bytes)
        try add(.signature, try ledger.signature(of: manifest, proof))
        return try called { () throws(SystemError) in try writer.finish() }
    }
}

extension Ledger {
    /// An answer as the report shows it; nil where it cannot be opened.
    func shownAnswer(_ id: UUID128, _ key: SessionKey?) -> String? {
        guard let key, let reader = try? keys.read(.evidence, ObjectID(id), key: key),
            let beginning = try? reader.read(at: 0, limit: AnswerText.limit)
        else { return nil }
        return AnswerText.text(Array(beginning), of: reader.byteCount)
    }
}

/// An answer as the report shows it.
enum AnswerText {
    static let limit = 4096

    static func text(_ bytes: [UInt8], of size: Int64) -> String {
        // The beginning of text may end within a character.
        let text = (0..<4).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        guard let text else { return "\(size) bytes that are not text" }
        return size > Int64(bytes.count) ? text + "… (\(size) bytes in all)" : text
    }
}
