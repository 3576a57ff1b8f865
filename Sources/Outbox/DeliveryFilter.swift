package import SessionDomain

/// Which deliveries are asked for; what is nil asks for all.
package struct DeliveryFilter: Sendable, Hashable {
    package var id: DeliveryID?
    package var status: DeliveryStatus?
    /// Why it was parked or withdrawn, a code.
    package var cause: String?
    package var destination: String?
    package var piece: Piece?
    package var session: SessionID?
    /// Confirmed then or later.
    package var sinceMilliseconds: Int64?
    /// Deliveries above this number: the last one of the page before.
    package var cursor: Int64 = 0
    package var limit = 1000

    package init() {}
}
