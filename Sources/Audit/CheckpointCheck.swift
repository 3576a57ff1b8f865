import Cryptography
import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Vault

/// Holds the log against every checkpoint that was signed, those kept outside among them, and the keys against their events.
final class CheckpointCheck {
    /// Events that say something about keys and restores.
    static let types: Set<Int> = [EventType.signingKeyAdded.code, EventType.ledgerRestored.code]

    /// A root that the log must have at some size.
    struct Expected {
        let root: Digest
        /// nil for a checkpoint of the ledger itself.
        let given: Checkpoint?
    }

    private let connection: Connection
    private let identity: EventDatabase.Identity
    private let checksEpoch: Bool
    private let chain: SigningKeyChain
    /// nil in a ledger of an older version, which signed nothing.
    private let page: Statement?
    private var given: [SignedCheckpoint] = []
    private var expected: [Int64: [Expected]] = [:]
    private var added: [(position: Int64, event: SigningKeyAdded)] = []
    private var restores: [(position: Int64, epoch: UUID128)] = []
    private var newestEpoch: UUID128?

    init(
        _ connection: Connection, _ identity: EventDatabase.Identity, _ options: AuditOptions,
        into report: inout VerificationReport
    ) throws(StorageError) {
        self.connection = connection
        self.identity = identity
        checksEpoch = options.checksEpoch
        chain = SigningKeyChain(ledgerID: identity.ledgerID, keys: try ProofRows(connection).signingKeys())
        let isThere = try ProofRows(connection).areThere()
        page = try stored { () throws(SQLiteError) in
            isThere ? try Statement(connection, SchemaFiles.listCheckpoints) : nil
        }
        for generation in chain.unendorsed {
            report.add(
                .keyNotEndorsed,
                "Signing key \(generation) is not endorsed by the one before it: nothing that it signed can be trusted.")
        }
        var trusted: Int64 = 1
        if let key = options.key {
            guard let own = chain.keys.last(where: { $0.publicKey == key.publicKey }) else {
                report.add(
                    .signingKeyForeign,
                    "The key that was given is none of those that this ledger signs with: it is another ledger's, or the keys were exchanged."
                )
                return
            }
            trusted = own.generation
        }
        for note in options.checkpoints { take(note, from: trusted, into: &report) }
    }

    /// A checkpoint that was kept outside.
    private func take(_ note: String, from trusted: Int64, into report: inout VerificationReport) {
        guard let signed = try? SignedCheckpoint(parsing: note) else {
            report.add(.checkpointAltered, "The checkpoint that was given cannot be read.")
            return
        }
        guard let names = signed.checkpoint.names, names.ledgerID == identity.ledgerID else {
            report.add(.checkpointForeign, "The checkpoint that was given is another ledger's.")
            return
        }
        guard let signer = chain.signer(of: signed), signer >= trusted,
            !chain.unendorsed.contains(where: { $0 > trusted && $0 <= signer })
        else {
            report.add(
                .checkpointUnsigned, at: signed.checkpoint.treeSize,
                "The checkpoint that was given, of \(signed.checkpoint.treeSize) events, is signed by no key that is trusted.")
            return
        }
        given.append(signed)
        expect(signed.checkpoint.treeSize, Expected(root: signed.checkpoint.root, given: signed.checkpoint))
    }

    private func expect(_ size: Int64, _ root: Expected) { expected[size, default: []].append(root) }

    func sizes(
        after first: Int64, through last: Int64, into report: inout VerificationReport
    ) throws(StorageError) -> [Int64] {
        for checkpoint in try checkpoints(after: first, through: last) { check(checkpoint, into: &report) }
        if expected.isEmpty { return [] }
        return expected.keys.filter { $0 > first && $0 <= last }.sorted()
    }

    private func checkpoints(after first: Int64, through last: Int64) throws(StorageError) -> [StoredCheckpoint] {
        guard let page else { return [] }
        return try stored { () throws(SQLiteError) in
            page.bind(first, at: 1)
            page.bind(last, at: 2)
            defer { page.reset() }
            var found: [StoredCheckpoint] = []
            while try page.step() { found.append(StoredCheckpoint(page)) }
            return found
        }
    }

    /// One of the ledger's own: it is what its row says, and signed by its key.
    private func check(_ stored: StoredCheckpoint, into report: inout VerificationReport) {
        report.checkpoints += 1
        let size = stored.treeSize
        guard let signed = try? SignedCheckpoint(parsing: stored.note), signed.checkpoint.treeSize == size,
            signed.checkpoint.root.bytes == stored.root, signed.note.encoded == stored.note,
            signed.checkpoint.signedAtMilliseconds == stored.signedAtMilliseconds,
            let names = signed.checkpoint.names, names.ledgerID == identity.ledgerID, names.epoch == signed.checkpoint.epoch
        else {
            report.add(.checkpointAltered, at: size, "The checkpoint of \(size) events is not the one that was signed.")
            return
        }
        guard chain.signer(of: signed) == stored.generation else {
            report.add(
                .checkpointUnsigned, at: size, "The checkpoint of \(size) events is not signed by the key that it names.")
            return
        }
        newestEpoch = names.epoch
        report.provenThrough = max(report.provenThrough, size)
        expect(size, Expected(root: signed.checkpoint.root, given: nil))
    }

    func look(at event: StoredEvent) {
        switch try? EventCoder.decodeLedgerEvent(event.encoded) {
        case .signingKeyAdded(let key): added.append((event.position, key))
        case .ledgerRestored(let restore): restores.append((event.position, restore.epoch))
        default: break
        }
    }

    func note(root: Digest, size: Int64, into report: inout VerificationReport) {
        for expected in expected.removeValue(forKey: size) ?? [] {
            if expected.given != nil { report.checkpoints += 1 }
            if expected.root == root {
                if expected.given != nil { report.provenThrough = max(report.provenThrough, size) }
            } else if let given = expected.given, let lost = loss(given) {
                report.add(.lostByRestore, at: lost, sentence(lost, size))
            } else {
                report.add(
                    .checkpointWrong, at: size,
                    "The first \(size) events are not those that \(expected.given == nil ? "were signed" : "the given checkpoint signed"): one of them was altered, taken out, moved or put in."
                )
            }
        }
    }

    /// What was signed beyond the end of the log, and what the keys and the epoch say.
    ///
    /// - Parameters:
    ///   - size: of the tree that was looked at.
    ///   - end: the last event by now; what is signed up to it was appended meanwhile.
    func finish(size: Int64, end: Int64, _ vault: Vault?, into report: inout VerificationReport) throws(StorageError) {
        for checkpoint in try checkpoints(after: end, through: .max) { check(checkpoint, into: &report) }
        for (signed, roots) in expected.sorted(by: { $0.key < $1.key }) {
            if signed == 0 || signed <= end && signed > size { continue }
            if let given = roots.compactMap(\.given).first, let lost = loss(given) {
                report.add(.lostByRestore, at: lost, sentence(lost, signed))
            } else {
                report.add(
                    .logTruncated, at: size + 1,
                    "The log ends at position \(size), and \(signed) events were signed: positions \(size + 1) to \(signed) are missing."
                )
            }
        }
        checkKeys(vault, &report)
        checkEpoch(&report)
    }

    /// Where the log left the epoch of a checkpoint, when that is before its end; nil when no restore explains it.
    private func loss(_ checkpoint: Checkpoint) -> Int64? {
        guard let epoch = checkpoint.epoch, epoch != identity.epoch else { return nil }
        let next: Int
        if let index = restores.firstIndex(where: { $0.epoch == epoch }) { next = index + 1 } else { next = 0 }
        guard next < restores.count, restores[next].position <= checkpoint.treeSize else { return nil }
        return restores[next].position
    }

    private func sentence(_ lost: Int64, _ size: Int64) -> String {
        "The ledger was restored from a backup at position \(lost): positions \(lost) to \(size) of what was signed before are not in it."
    }

    /// The keys on record are those that the events added, in number and in every byte.
    private func checkKeys(_ vault: Vault?, _ report: inout VerificationReport) {
        for (position, event) in added {
            let key = chain.key(Int64(event.generation))
            if key?.publicKey != event.publicKey.bytes || key?.endorsement.map({ Hex.text($0) }) != event.endorsement {
                report.add(
                    .signingKeyWrong, at: position, "Signing key \(event.generation) is not the one that this event added.")
            }
        }
        for key in chain.keys where !added.contains(where: { Int64($0.event.generation) == key.generation }) {
            report.add(.signingKeyWrong, "No event added signing key \(key.generation).")
        }
        guard let vault else { return }
        for key in chain.keys {
            let position = added.first { Int64($0.event.generation) == key.generation }?.position
            do throws(VaultError) {
                if Ed25519.publicKey(seed: try vault.signingSeed(key.generation)) != key.publicKey {
                    report.add(
                        .signingKeyWrong, at: position, "The private half of signing key \(key.generation) is another key's.")
                }
            } catch {
                report.add(
                    .signingKeyWrong, at: position,
                    "The private half of signing key \(key.generation) cannot be had: \(error.message).")
            }
        }
    }

    private func checkEpoch(_ report: inout VerificationReport) {
        guard checksEpoch, let known = restores.last?.epoch ?? newestEpoch else { return }
        if known != identity.epoch {
            report.add(
                .epochUnexplained, at: restores.last?.position,
                "The ledger's epoch is neither that of its checkpoints nor that of its last restore.")
        }
    }
}
