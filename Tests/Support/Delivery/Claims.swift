package import DeliveryMachine
package import SessionDomain

/// Deliveries for tests, numbered so that failures are easy to read.
package enum Claims {
    package static let verifier = DestinationName("verifier")
    package static let hologram = DestinationName("hologram")

    package static func id(_ high: UInt64, _ number: Int) -> UUID128 {
        UUID128(high: high << 32 | 0x7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    package static func verifier(
        _ number: Int, session: Int = 1, piece: Piece = .selfie, bytes: Int64 = 5, claims: Int = 1, attempt: Int = 1,
        work: DeliveryWork = DeliveryWork(), frozen: FrozenBody? = nil,
        sha256: [UInt8] = [UInt8](repeating: 0xAB, count: 32)
    ) -> ClaimedDelivery {
        ClaimedDelivery(
            id: DeliveryID(id(0xD, number)), destination: verifier, session: SessionID(id(0x5, session)), piece: piece,
            capture: CaptureID(id(0xC, number)), captureAttempt: attempt, source: .camera,
            media: MediaDescription(
                type: "image/jpeg", bytes: bytes, width: 40, height: 20, sha256: sha256),
            hologram: nil, fence: 1, claims: claims, work: work, frozen: frozen)
    }

    package static func hologram(
        _ number: Int, bytes: Int64 = 5, claims: Int = 1, passMark: Double? = nil, work: DeliveryWork = DeliveryWork(),
        frozen: FrozenBody? = nil, sha256: [UInt8] = [UInt8](repeating: 0xAB, count: 32)
    ) -> ClaimedDelivery {
        ClaimedDelivery(
            id: DeliveryID(id(0xD, number)), destination: hologram, session: SessionID(id(0x5, 1)), piece: .hologram,
            capture: CaptureID(id(0xC, number)), captureAttempt: 1, source: .camera,
            media: MediaDescription(
                type: "video/mp4", bytes: bytes, width: nil, height: nil, sha256: sha256),
            hologram: HologramFacts(rotate: 90, cardType: "NEW-ID", transactionID: "tx-\(number)", passMark: passMark),
            fence: 1, claims: claims, work: work, frozen: frozen)
    }
}
