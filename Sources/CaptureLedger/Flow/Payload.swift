public import FoundationEssentials

/// What a verifier handed over with its yes: arbitrary JSON (S15).
public struct Payload: Sendable, Hashable {
    /// UTF-8.
    public let json: Data

    /// - Parameter json: one JSON value in UTF-8. A verifier that hands over anything else has broken its contract, and the capture is
    ///   given to it again.
    public init(json: Data) { self.json = json }

    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: json) }
}
