import EventCoding
package import SessionDomain

/// Which events a replay hands over; every condition has to hold.
package struct ReplayFilter: Sendable, Equatable {
    package var session: SessionID?
    /// Codes; empty: all.
    package var types: Set<Int> = []
    /// Empty: all, also events of no piece.
    package var pieces: Set<Piece> = []
    /// By the store's clock, which never goes back from one event to the next.
    package var sinceMilliseconds: Int64?
    package var untilMilliseconds: Int64?
    /// The last position that is looked at.
    package var through: Int64 = .max

    package init() {}

    /// Names of the types that this version knows.
    package static var typeNames: [String] { EventType.allCases.map(\.name) }

    /// By name, or by number for one that only a newer version knows.
    package static func typeCode(_ text: String) -> Int? {
        EventType(name: text)?.code ?? Int(text).flatMap { $0 > 0 ? $0 : nil }
    }

    func includes(_ row: ReplayRow) -> Bool {
        if !types.isEmpty, !types.contains(row.typeCode) { return false }
        guard !pieces.isEmpty else { return true }
        guard let piece = row.pieceCode.flatMap({ Piece(code: $0) }) else { return false }
        return pieces.contains(piece)
    }
}
