/// What a sealed file holds.
package enum SealedKind: String, Sendable, CaseIterable {
    /// The original of a capture.
    case media
    /// What an endpoint answered.
    case evidence

    var folder: String { rawValue }

    func info(_ id: ObjectID) -> [UInt8] {
        var info = Array("capture-ledger \(rawValue) v1".utf8)
        id.append(to: &info)
        return info
    }
}
