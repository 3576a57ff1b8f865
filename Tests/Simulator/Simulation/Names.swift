import DeliveryMachine
import SessionDomain

/// Identifiers that follow from numbers, and short names for the trace.
enum Names {
    static func session(_ number: Int) -> SessionID { SessionID(uuid(0x5E55_0000, number)) }
    static func capture(_ number: Int) -> CaptureID { CaptureID(uuid(0xCA97_0000, number)) }

    /// One key for one session, capture and destination, as the ledger derives it.
    static func delivery(_ capture: CaptureID, _ destination: String) -> DeliveryID {
        DeliveryID(UUID128(high: 0xDE11_0000_0000_7000, low: capture.uuid.low))
    }

    static func number(_ session: SessionID) -> Int { number(session.uuid) }
    static func number(_ capture: CaptureID) -> Int { number(capture.uuid) }
    static func number(_ delivery: DeliveryID) -> Int { number(delivery.uuid) }

    static func destination(_ number: Int) -> DestinationName { all[number] }
    static func server(_ name: DestinationName) -> Int { all.firstIndex(of: name)! }

    private static let all = [DestinationName("verifier"), DestinationName("hologram"), DestinationName("second")]

    private static func uuid(_ kind: UInt64, _ number: Int) -> UUID128 {
        UUID128(high: kind << 32 | 0x7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    private static func number(_ uuid: UUID128) -> Int { Int(uuid.low & 0xFFFF_FFFF) }
}
