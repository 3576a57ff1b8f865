import Audit
import MediaChecks
import SessionDomain
import SystemCalls
import Vault

extension EvidenceExport {
    private static let partSize = 1 << 18

    /// Answers, originals and pages, opened a chunk at a time.
    func writeMedia() throws(LedgerError) {
        let answers = Set(collected.deliveries.flatMap { $0.attempts.compactMap(\.evidenceID) })
        for id in answers.sorted() { try write(.answer(id), .evidence, id) }
        let media = collected.records.flatMap { event -> [EventRecord.NamedMedia] in
            [event.record.original, event.record.crop].compactMap(\.self)
        }
        for media in media.sorted(by: { ($0.isCrop ? 1 : 0, $0.id) < ($1.isCrop ? 1 : 0, $1.id) }) {
            try write(.media(media), .media, media.id)
        }
        try add(
            .leftOut,
            leftOut.flatMap { left in
                JSONValue.members([.init("entry", .string(left.entry)), .init("why", .string(left.why))]).canonicalBytes + [
                    0x0A
                ]
            })
    }

    private func write(_ name: EvidenceName, _ kind: SealedKind, _ id: UUID128) throws(LedgerError) {
        guard let key = collected.key else {
            leaveOut(name, absence ?? "its key cannot be had")
            return
        }
        let reader: SealedReader
        do throws(VaultError) { reader = try ledger.vaultOrThrow().read(kind, ObjectID(id), key: key) } catch {
            switch error.code {
            case .objectMissing: leaveOut(name, purge(of: id) ?? "it is not in the ledger any more")
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
        var shown: [UInt8] = []
        var fault: VaultError?
        do throws(SystemError) {
            try writer.add(name, size: reader.byteCount) { (offset) throws(SystemError) in
                do throws(VaultError) {
                    let part = try reader.read(at: offset, limit: Self.partSize)
                    if kind == .evidence, shown.count < AnswerText.limit {
                        shown += part.prefix(AnswerText.limit - shown.count)
                    }
                    return part
                } catch {
                    fault = error
                    throw SystemError(.inputOutput, call: "read", path: name.text)
                }
            }
        } catch { throw fault.map { LedgerError($0) } ?? LedgerError(error) }
        if kind == .evidence { remember(answer: AnswerText.text(shown, of: reader.byteCount), id) }
    }

    /// Why an original, or the page of it, is gone.
    private func purge(of id: UUID128) -> String? {
        let capture = collected.records.first { $0.record.crop?.id == id }?.record.captureID ?? id
        let event = collected.records.first { $0.record.type == .mediaPurged && $0.record.captureID == capture }
        return event.map { "it was destroyed at position \($0.record.position): \($0.record.reason ?? "purged")" }
    }

    /// The page that people read, by way of a file, since its size stands before it.
    func writeReport(_ file: consuming FileDescriptor) throws(LedgerError) {
        let page = PageFile(file)
        let pictures = EvidencePictures(ledger, collected)
        try report.write(
            pictures: { (media) throws(LedgerError) in pictures.pictures(of: media) },
            to: { (part) throws(LedgerError) in try page.write(part.text) })
        try called { () throws(SystemError) in try writer.add(.report, page.file) }
    }

    /// The listing and the manifest; the file's size.
    func finish() throws(LedgerError) -> Int64 {
        let listing = try called { () throws(SystemError) in try writer.addListing() }
        let manifest = EvidenceManifest(
            ledgerID: ledger.ledgerID, epoch: ledger.epoch, session: collected.id.uuid, isRedacted: options.isRedacted,
            exportedAtMilliseconds: exportedAtMilliseconds, version: collected.lastVersion, events: collected.records.count,
            entries: writer.entries, listing: listing)
        try add(.manifest, manifest.bytes)
        try add(.signature, try ledger.signature(of: manifest, proof))
        return try called { () throws(SystemError) in try writer.finish() }
    }
}

/// A page while it grows.
private final class PageFile {
    let file: FileDescriptor

    init(_ file: consuming FileDescriptor) { self.file = file }

    func write(_ text: String) throws(LedgerError) {
        try called { () throws(SystemError) in try file.write(Array(text.utf8)) }
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
