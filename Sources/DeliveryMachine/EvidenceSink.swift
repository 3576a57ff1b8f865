/// Port: keeps what an endpoint answered, sealed, byte for byte.
package protocol EvidenceSink: AnyObject {
    /// Durable when it returns. Called before the settlement that names the reference.
    func archive(_ answer: TransferResult, for claim: ClaimedDelivery) throws(DeliveryFault) -> EvidenceReference
}

package struct EvidenceReference: Hashable, Sendable {
    package let id: String
    /// SHA-256 of the archived plain bytes, 32 bytes.
    package let sha256: [UInt8]

    package init(id: String, sha256: [UInt8]) {
        self.id = id
        self.sha256 = sha256
    }
}
