import Audit
import Cryptography
import EventStorage
import SessionDomain
import Vault

extension Ledger {
    /// Makes the key that signs checkpoints, when there is none or another is asked for. Its private half is durable before its
    /// public half is on record: an interrupted call is finished by the next one with the same key.
    ///
    /// - Returns: the position of the event that says so; nil when nothing was made.
    func ensureSigningKey(_ options: CheckpointOptions) throws(LedgerError) -> Int64? {
        if !options.makesNewKey, try !proofState().keys.keys.isEmpty { return nil }
        let (ledgerID, options) = (ledgerID, options)
        return try writer.writeAndWait { (context) throws(LedgerError) -> Result<Int64?, LedgerError> in
            let newest = try translated { () throws(StorageError) in
                try ProofRows(context.connection).signingKeys().last
            }
            if newest != nil, !options.makesNewKey { return .success(nil) }
            let generation = (newest?.generation ?? 0) + 1
            let (seed, older) = try unlocked { () throws(VaultError) in
                // the older one first: without it nothing new is made
                let older = try newest.map { (newest) throws(VaultError) in try context.vault.signingSeed(newest.generation) }
                return (try context.vault.ensureSigningSeed(generation), older)
            }
            let publicKey = Ed25519.publicKey(seed: seed)
            if let older, let newest, Ed25519.publicKey(seed: older) != newest.publicKey {
                return .failure(.signingKeyMismatch)
            }
            let endorsement = older.map {
                SigningKeyChain.endorse(ledgerID: ledgerID, generation: generation, publicKey: publicKey, seed: $0)
            }
            guard let digest = Digest256(bytes: publicKey) else { return .failure(.signingKeyMismatch) }
            try translated { () throws(StorageError) in
                try context.writer.insert(
                    StoredSigningKey(
                        generation: generation, publicKey: publicKey, createdAtMilliseconds: context.nowMilliseconds,
                        endorsement: endorsement))
            }
            let event = SigningKeyAdded(
                generation: Int(generation), publicKey: digest, endorsement: endorsement.map { Hex.text($0) })
            return .success(
                try context.append(.signingKeyAdded(event), commandID: options.commandID, actor: options.actor))
        }
    }
}
