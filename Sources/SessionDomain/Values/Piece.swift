/// What a session asks for.
public enum Piece: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    case passportFront = "passport_front"
    case passportBack = "passport_back"
    case selfie
    case hologram
}

extension Piece {
    /// Fixed for ever: it is what a stored event says.
    package var code: Int { slot + 1 }

    package init?(code: Int) {
        guard Self.allCases.indices.contains(code - 1) else { return nil }
        self = Self.allCases[code - 1]
    }

    /// Its place in arrays with one element a piece.
    @inlinable package var slot: Int {
        switch self {
        case .passportFront: 0
        case .passportBack: 1
        case .selfie: 2
        case .hologram: 3
        }
    }

    package var isPassportPage: Bool { self == .passportFront || self == .passportBack }
}
