import Archives
import Cryptography
import SessionDomain
package import SystemCalls

/// Checks an evidence archive by itself, without the ledger and without its keys: every digest, what is shown of each event against the
/// bytes that were stored, media and private halves against what the events commit to, requests and answers against the outcomes that
/// rest on them, and the events against a signed checkpoint. It unpacks nothing; its memory does not grow with the media, and with
/// the events by no more than their leaf hashes.
package final class EvidenceVerifier {
    static let documentLimit = 16 << 20
    static let lineLimit = 16 << 20

    let reader: EvidenceReader
    var verdict = EvidenceVerdict()

    // what the entries say, for those that come later
    var commitmentKey: [UInt8]?
    var leaves: [(position: Int64, leaf: Digest)] = []
    var lastVersion: Int64 = 0
    var media: [EvidenceName: Named] = [:]
    var purged: Set<UUID128> = []
    var configuration: String?
    var configurationDigest: String?
    var expectedFindings = SHA256()
    var outcomes: [Outcome] = []
    var attemptDigests: Set<Digest> = []
    var requests: [UUID128: String] = [:]
    var answers: [UUID128: Digest] = [:]
    var leftOut: Set<String> = []
    var seen: Set<EvidenceName> = []
    /// For each of `leaves`, once its proof has come: whether it leads to the root of the checkpoint.
    var proven: [Bool?] = []
    /// nil until the first proof, and where the checkpoint cannot be read.
    var provenTo: Checkpoint?
    var checkpointNote: String?
    var keyLines: [JSONValue] = []
    var signature: String?
    private(set) var manifest: EvidenceManifest?
    private var listing: [(name: String, digest: Digest)] = []
    private var listed: [UInt8] = []

    /// A sealed file that an event names.
    struct Named {
        let media: EventRecord.NamedMedia
        /// Whose it is, or was made of.
        let capture: UUID128
        let position: Int64
    }

    struct Outcome {
        let position: Int64
        let evidence: Digest256
    }

    private init(_ reader: EvidenceReader) { self.reader = reader }

    /// - Parameter key: the verifier's key that the asker trusts; nil: the one that the archive names.
    package static func verify(_ file: consuming FileDescriptor, trusting key: NoteKey? = nil) -> EvidenceVerdict {
        do throws(EvidenceProblem) {
            let verifier = EvidenceVerifier(try EvidenceReader(file))
            verifier.run(trusting: key)
            return verifier.verdict
        } catch {
            var verdict = EvidenceVerdict()
            verdict.add(error)
            return verdict
        }
    }

    private func run(trusting key: NoteKey?) {
        do throws(EvidenceProblem) {
            while let entry = try reader.next() {
                seen.insert(entry.name)
                let digest = try read(entry)
                if entry.name.rank < EvidenceName.listing.rank { listing.append((entry.name.text, digest)) }
            }
        } catch {
            // What was not read is not missing.
            verdict.add(error)
            return
        }
        verdict.entries = listing.count
        conclude()
        checkProof(trusting: key)
    }

    private func read(_ entry: EvidenceReader.Entry) throws(EvidenceProblem) -> Digest {
        switch entry.name {
        case .session: return try document(entry) { readSession($0) }
        case .configuration: return try document(entry) { readConfiguration($0) }
        case .events: return try reader.lines(entry, limit: Self.lineLimit) { readEvent($0) }
        case .findings:
            let digest = try reader.content { _ in }
            if digest != expectedFindings.finish() {
                verdict.add(.findingsDiffer, in: entry.name, "The findings are not those of the events.")
            }
            return digest
        case .deliveries: return try reader.lines(entry, limit: Self.lineLimit) { readDelivery($0) }
        case .request(let id): return try document(entry) { readRequest($0, id) }
        case .answer(let id): return try readAnswer(entry, id)
        case .media, .crop: return try readMedia(entry)
        case .leftOut: return try reader.lines(entry, limit: 1 << 16) { readLeftOut($0) }
        case .checkpoint: return try document(entry) { checkpointNote = String(decoding: $0, as: UTF8.self) }
        case .signingKeys:
            return try reader.lines(entry, limit: 1 << 16) { line in
                if let json = try? JSONValue.parse(Array(line)) { keyLines.append(json) }
            }
        case .inclusion: return try reader.lines(entry, limit: 1 << 16) { readProof($0) }
        case .policies, .report: return try reader.content { _ in }
        case .listing: return try document(entry) { listed = $0 }
        case .manifest: return try document(entry) { readManifest($0) }
        case .signature: return try document(entry) { signature = String(decoding: $0, as: UTF8.self) }
        }
    }

    private func document(
        _ entry: EvidenceReader.Entry, _ body: ([UInt8]) -> Void
    ) throws(EvidenceProblem) -> Digest {
        let (bytes, digest) = try reader.all(entry, limit: Self.documentLimit)
        body(bytes)
        return digest
    }

    private func readSession(_ bytes: [UInt8]) {
        guard let json = try? JSONValue.parse(bytes), let session = json["session_id"]?.asString.flatMap({ UUID128($0) }),
            let ledger = json["ledger_id"]?.asString.flatMap({ UUID128($0) }), let redacted = json["redacted"]?.asBool
        else {
            verdict.add(.sessionUnreadable, in: .session, "What session it is about cannot be read.")
            return
        }
        verdict.session = session
        verdict.ledger = ledger
        verdict.isRedacted = redacted
        commitmentKey = json["commitment_key"]?.asString.flatMap { Digest256(hex: $0) }?.bytes
        if redacted, commitmentKey != nil {
            verdict.add(.redactionBroken, in: .session, "It is redacted and holds the key of the session's commitments.")
        }
    }

    private func readLeftOut(_ line: ArraySlice<UInt8>) {
        guard let name = (try? JSONValue.parse(Array(line)))?["entry"]?.asString else { return }
        leftOut.insert(name)
        verdict.leftOut += 1
    }

    private func readManifest(_ bytes: [UInt8]) {
        guard let manifest = EvidenceManifest(bytes) else {
            verdict.add(.manifestWrong, in: .manifest, "The manifest cannot be read, or its own digest is wrong.")
            return
        }
        self.manifest = manifest
        verdict.exportedAtMilliseconds = manifest.exportedAtMilliseconds
        if manifest.session != verdict.session || manifest.ledgerID != verdict.ledger
            || manifest.isRedacted != verdict.isRedacted || manifest.version != lastVersion
            || manifest.events != leaves.count
        {
            verdict.add(.manifestWrong, in: .manifest, "The manifest speaks of another session, or of more or fewer events.")
        }
    }

    /// Which of the three is another than it was: a file, the listing of them, or the manifest that names the listing.
    private func checkListing() {
        let expected = listing.flatMap { TarWriter.listed($0.name, $0.digest) }
        let (fitting, found) = (SHA256.digest(of: expected), SHA256.digest(of: listed))
        if let manifest, manifest.entries != listing.count || (manifest.listing != fitting && manifest.listing != found) {
            verdict.add(.manifestWrong, in: .manifest, "The manifest is not about these files.")
        }
        if listed == expected || !seen.contains(.listing) { return }
        if manifest?.listing == fitting {
            verdict.add(.listingWrong, in: .listing, "It is not the listing that the manifest names.")
            return
        }
        var digests: [String: String] = [:]
        for line in String(decoding: listed, as: UTF8.self).split(separator: "\n") where line.utf8.count > 66 {
            digests[String(line.dropFirst(66))] = String(line.prefix(64))
        }
        let before = verdict.problemCount
        for (name, digest) in listing where digests[name] != digest.hex {
            verdict.add(
                EvidenceProblem(
                    .entryAltered, in: name,
                    digests[name] == nil ? "The listing does not name it." : "Its bytes are not those that the listing names."))
        }
        let here = Set(listing.map(\.name))
        for name in digests.keys.sorted() where !here.contains(name) {
            verdict.add(EvidenceProblem(.entryMissing, in: String(name.prefix(99)), "The listing names it and it is not here."))
        }
        if verdict.problemCount == before {
            verdict.add(.listingWrong, in: .listing, "The listing is not in the form that it is written in.")
        }
    }

    /// What can be said only when everything was read.
    private func conclude() {
        for name in [EvidenceName.session, .events, .findings, .deliveries, .leftOut, .report, .listing, .manifest, .signature]
        where !seen.contains(name) {
            verdict.add(.entryMissing, in: name, "It is not here.")
        }
        if let configuration, !seen.contains(.configuration) {
            verdict.add(.entryMissing, in: .configuration, "The configuration \(configuration.prefix(12))… is not here.")
        }
        checkListing()
        concludeMedia()
        concludeDeliveries()
    }
}
