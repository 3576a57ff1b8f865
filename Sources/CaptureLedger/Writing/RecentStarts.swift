import EventStorage
import SessionDomain

/// The configurations that sessions were lately started with, in canonical form, and where they are interned: a host begins many
/// sessions with one.
struct RecentStarts {
    private static let kept = 8

    private var recent: [FrozenConfiguration] = []
    private var digested: (configuration: FrozenConfiguration, digest: [UInt8], hex: String)?

    mutating func frozen(_ configuration: CaptureConfiguration) -> FrozenConfiguration {
        if let known = recent.first(where: { $0.value == configuration }) { return known }
        let frozen = FrozenConfiguration(configuration)
        if recent.count == Self.kept { recent.removeLast() }
        recent.insert(frozen, at: 0)
        return frozen
    }

    /// - Returns: with the digest, whether it is another one than the last.
    mutating func digest(_ configuration: FrozenConfiguration) -> (bytes: [UInt8], hex: String, isNew: Bool) {
        if let digested, digested.configuration === configuration { return (digested.digest, digested.hex, false) }
        let digest = Digests.sha256(Array(configuration.canonicalJSON.utf8))
        let hex = Hex.text(digest)
        digested = (configuration, digest, hex)
        return (digest, hex, true)
    }
}
