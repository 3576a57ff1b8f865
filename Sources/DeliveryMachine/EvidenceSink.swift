/// Port: keeps what endpoints answered, sealed, byte for byte.
package protocol EvidenceSink: AnyObject {
    /// Durable when it returns. Called before the settlements that name the references.
    ///
    /// - Returns: one result an answer, in their order. An answer that could not be kept does not count.
    func archive(_ answers: [EndedClaim]) -> [Result<EvidenceReference, DeliveryFault>]
}

/// A claim whose request ended, with what came back.
package struct EndedClaim: Sendable {
    package var claim: ClaimedDelivery
    package var result: TransferResult

    package init(claim: ClaimedDelivery, result: TransferResult) {
        self.claim = claim
        self.result = result
    }
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
