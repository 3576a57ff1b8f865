package import Cryptography
package import EventStorage
package import SessionDomain

/// The public halves that a ledger has signed with, oldest first. Each but the first is signed by the one before it, so that whoever
/// trusts one of them trusts those after it.
package struct SigningKeyChain: Sendable {
    package let ledgerID: UUID128
    package let keys: [StoredSigningKey]

    package init(ledgerID: UUID128, keys: [StoredSigningKey]) {
        self.ledgerID = ledgerID
        self.keys = keys
    }

    /// What the older key signs when a newer one takes its place.
    package static func endorsementText(ledgerID: UUID128, generation: Int64, publicKey: [UInt8]) -> [UInt8] {
        var text = Array("capture-ledger signing key v1\n".utf8) + ledgerID.bytes
        for shift in stride(from: Int64(24), through: 0, by: -8) { text.append(UInt8(truncatingIfNeeded: generation >> shift)) }
        return text + publicKey
    }

    package static func endorse(
        ledgerID: UUID128, generation: Int64, publicKey: [UInt8], seed: SecretKey
    ) -> [UInt8] {
        Ed25519.sign(endorsementText(ledgerID: ledgerID, generation: generation, publicKey: publicKey), seed: seed)
    }

    /// Generations whose key is not signed by the one before, or is not the next one.
    package var unendorsed: [Int64] {
        var found: [Int64] = []
        for (index, key) in keys.enumerated() {
            if key.generation != Int64(index + 1) {
                found.append(key.generation)
            } else if index == 0 {
                if key.endorsement != nil { found.append(key.generation) }
            } else if !isEndorsed(key, by: keys[index - 1]) {
                found.append(key.generation)
            }
        }
        return found
    }

    private func isEndorsed(_ key: StoredSigningKey, by older: StoredSigningKey) -> Bool {
        guard let endorsement = key.endorsement else { return false }
        let text = Self.endorsementText(ledgerID: ledgerID, generation: key.generation, publicKey: key.publicKey)
        return Ed25519.verify(endorsement, of: text, publicKey: older.publicKey)
    }

    package func key(_ generation: Int64) -> StoredSigningKey? { keys.first { $0.generation == generation } }

    /// The generation that signed the note under that origin; nil when it was none of these keys.
    package func signer(of signed: SignedCheckpoint) -> Int64? {
        keys.last { NoteKey(name: signed.checkpoint.origin, publicKey: $0.publicKey).verifies(signed.note) }?.generation
    }
}
