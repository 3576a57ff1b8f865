package import Audit
import Cryptography
import EventStorage
import SessionDomain
import Vault

extension Ledger {
    /// Signs what the log is now, unless that was signed before. The first call makes the key.
    ///
    /// The tiles are brought up to date and the roots are computed outside the writer's lock; only the signature is made under it.
    /// Nothing is signed unless the new tree begins with the one that was signed last.
    ///
    /// - Throws: `checkpoint_contradicts`, `signing_key_mismatch`, `event_missing`; `no_events` in an empty ledger.
    package func makeCheckpoint(_ options: CheckpointOptions = CheckpointOptions()) throws(LedgerError) -> MadeCheckpoint {
        if let first = try checkpointOfCommand(options) { return first }
        guard try lastPosition() > 0 else { throw .nothingToSign }
        let keyPosition = try ensureSigningKey(options)
        try growTiles()
        while true {
            let known = try proofState()
            if let newest = known.newest, newest.treeSize == known.position {
                try verifyNewest(known)
                return try remember(try made(newest, known.keys, isNew: false, keyPosition), options)
            }
            let root = try consistentRoot(known, trustsTiles: options.trustsTiles)
            if let stored = try sign(root, known, options) {
                return try made(stored, known.keys, isNew: true, keyPosition)
            }
            // another process signed meanwhile: what it signed is to be compared first
        }
    }

    /// The newest checkpoint that was signed; nil before the first.
    package func newestCheckpoint() throws(LedgerError) -> MadeCheckpoint? {
        let known = try proofState()
        guard let newest = known.newest else { return nil }
        return try made(newest, known.keys, isNew: false, nil)
    }

    /// The public halves of every key that signed here, and what they endorse.
    package func signingKeys() throws(LedgerError) -> SigningKeyChain { try proofState().keys }

    /// What a read saw at one moment.
    struct ProofState {
        let position: Int64
        let epoch: UUID128
        let newest: StoredCheckpoint?
        let keys: SigningKeyChain
    }

    func proofState() throws(LedgerError) -> ProofState {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let rows = ProofRows(context.connection)
                // the keys last: what signed a checkpoint was there before it
                let newest = try rows.newestCheckpoint()
                return ProofState(
                    position: try context.events.lastPosition(),
                    epoch: try EventDatabase.identity(context.connection).epoch,
                    newest: newest, keys: SigningKeyChain(ledgerID: ledgerID, keys: try rows.signingKeys()))
            }
        }
    }

    /// Stores every node that can be stored by now, in short transactions. They may lag at any time.
    package func growTiles() throws(LedgerError) {
        let size = try lastPosition()
        while let growth = try nextGrowth(size) {
            try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                try translated { () throws(StorageError) in try context.writer.store(growth) }
                return .success(())
            }
        }
    }

    private func nextGrowth(_ size: Int64) throws(LedgerError) -> TileGrowth? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try TreeReader(context.connection).growth(context.connection, size: size)
            }
        }
    }

    /// The root over every event of `known`, once it is shown that this tree begins with the one that was signed last.
    private func consistentRoot(_ known: ProofState, trustsTiles: Bool) throws(LedgerError) -> Digest {
        let signed = try known.newest.map { (newest) throws(LedgerError) in try verified(newest, known.keys) }
        guard signed.map({ $0.checkpoint.treeSize <= known.position }) ?? true else {
            throw .contradiction("it holds \(signed?.checkpoint.treeSize ?? 0) events, and the log ends at \(known.position)")
        }
        let (earlier, root, path) = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let tree = try TreeReader(context.connection, trustsTiles: trustsTiles)
                let size = signed?.checkpoint.treeSize ?? 0
                return (
                    try tree.root(size: size), try tree.root(size: known.position),
                    try tree.consistencyPath(from: size, to: known.position)
                )
            }
        }
        if let signed {
            let checkpoint = signed.checkpoint
            var hash = SHA256()
            guard earlier == checkpoint.root,
                MerkleTree.isConsistent(
                    checkpoint.treeSize, checkpoint.root, known.position, root, path: path, using: &hash)
            else { throw .contradiction("its \(checkpoint.treeSize) events are not the first ones of this log any more") }
        }
        return root
    }

    private func verifyNewest(_ known: ProofState) throws(LedgerError) {
        _ = try consistentRoot(known, trustsTiles: true)
    }

    /// A checkpoint as it was stored is believed only when its own signature is right.
    private func verified(_ stored: StoredCheckpoint, _ keys: SigningKeyChain) throws(LedgerError) -> SignedCheckpoint {
        guard let signed = try? SignedCheckpoint(parsing: stored.note), signed.checkpoint.treeSize == stored.treeSize,
            signed.checkpoint.root.bytes == stored.root, keys.signer(of: signed) == stored.generation
        else { throw .contradiction("the stored one was altered") }
        return signed
    }

    /// - Returns: nil when another process has signed since `known` was read.
    private func sign(
        _ root: Digest, _ known: ProofState, _ options: CheckpointOptions
    ) throws(LedgerError) -> StoredCheckpoint? {
        guard let current = known.keys.keys.last else { throw .signingKeyMismatch }
        let (ledgerID, commandID) = (ledgerID, options.commandID)
        return try writer.writeAndWait { (context) throws(LedgerError) -> Result<StoredCheckpoint?, LedgerError> in
            let rows = ProofRows(context.connection)
            let (newest, keys) = try translated { () throws(StorageError) in
                (try rows.newestCheckpoint(), try rows.signingKeys())
            }
            guard newest == known.newest, keys == known.keys.keys else { return .success(nil) }
            let seed = try unlocked { () throws(VaultError) in try context.vault.signingSeed(current.generation) }
            guard Ed25519.publicKey(seed: seed) == current.publicKey else { return .failure(.signingKeyMismatch) }
            let checkpoint = Checkpoint(
                ledgerID: ledgerID, epoch: known.epoch, treeSize: known.position, root: root,
                signedAtMilliseconds: context.nowMilliseconds)
            let signed = SignedCheckpoint(
                checkpoint, key: NoteKey(name: checkpoint.origin, publicKey: current.publicKey), seed: seed)
            let stored = StoredCheckpoint(
                treeSize: checkpoint.treeSize, root: root.bytes, generation: current.generation,
                signedAtMilliseconds: context.nowMilliseconds, note: signed.note.encoded)
            try translated { () throws(StorageError) in try context.writer.insert(stored) }
            if let commandID { try context.rememberCheckpoint(stored, commandID) }
            return .success(stored)
        }
    }

    private func made(
        _ stored: StoredCheckpoint, _ keys: SigningKeyChain, isNew: Bool, _ keyPosition: Int64?
    ) throws(LedgerError) -> MadeCheckpoint {
        let signed = try verified(stored, keys)
        guard let key = keys.key(stored.generation) else { throw .signingKeyMismatch }
        return MadeCheckpoint(
            signed: signed, generation: stored.generation,
            key: NoteKey(name: signed.checkpoint.origin, publicKey: key.publicKey), isNew: isNew, keyPosition: keyPosition)
    }
}

extension Ledger {
    /// The checkpoint that a command of this name gave before.
    private func checkpointOfCommand(_ options: CheckpointOptions) throws(LedgerError) -> MadeCheckpoint? {
        guard let commandID = options.commandID else { return nil }
        let known = try proofState()
        let size = try writer.writeAndWait { (context) throws(LedgerError) -> Result<Int64?, LedgerError> in
            let receipt = try translated { () throws(StorageError) in
                try context.writer.receipt(session: 0, command: commandID)
            }
            guard let receipt else { return .success(nil) }
            guard receipt.bodyDigest == context.vault.bodyDigest(WriteContext.checkpointBody) else {
                return .failure(.commandConflict)
            }
            return .success(receipt.firstPosition)
        }
        guard let size else { return nil }
        let stored = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try ProofRows(context.connection).checkpoint(from: size) }
        }
        guard let stored, stored.treeSize == size else { return nil }
        return try made(stored, known.keys, isNew: false, nil)
    }

    private func remember(_ made: MadeCheckpoint, _ options: CheckpointOptions) throws(LedgerError) -> MadeCheckpoint {
        guard let commandID = options.commandID else { return made }
        let size = made.treeSize
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try context.rememberCheckpoint(size: size, commandID)
            return .success(())
        }
        return made
    }
}

extension WriteContext {
    static let checkpointBody = Array("audit checkpoint".utf8)

    fileprivate func rememberCheckpoint(_ stored: StoredCheckpoint, _ commandID: CommandID) throws(LedgerError) {
        try rememberCheckpoint(size: stored.treeSize, commandID)
    }

    /// A repetition of the command finds the checkpoint by its size; it has no events.
    fileprivate func rememberCheckpoint(size: Int64, _ commandID: CommandID) throws(LedgerError) {
        try translated { () throws(StorageError) in
            guard try writer.receipt(session: 0, command: commandID) == nil else { return }
            try writer.insert(
                StoredReceipt(bodyDigest: vault.bodyDigest(Self.checkpointBody), firstPosition: size, eventCount: 0),
                session: 0, command: commandID)
        }
    }
}

extension LedgerError {
    static func contradiction(_ why: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "checkpoint_contradicts"),
            message: "Nothing was signed: this log does not go on from the checkpoint that was signed last, since \(why).",
            remedy: "Keep a copy of the folder, run audit verify, and find out who changed the log.")
    }

    static let nothingToSign = LedgerError(
        code: .init(rawValue: "no_events"), message: "There is no event yet, so there is nothing to sign.",
        remedy: "Make the checkpoint after the first session.")

    static let signingKeyMismatch = LedgerError(
        code: .init(rawValue: "signing_key_mismatch"),
        message: "The private half of the key that signs checkpoints is not that of the public half on record.",
        remedy: "Restore keys/ and ledger.sqlite from one backup.")
}
