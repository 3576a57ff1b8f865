import SessionDomain

/// Thresholds and rules of every check, with a version that each finding names. Written by people as JSON; see
/// `docs/checks.md`.
package struct CheckPolicy: Sendable, Hashable {
    /// Chosen by whoever writes the policy: 1 to 64 letters, digits, dots, hyphens, underscores.
    package var version: String
    package var detector = DetectorPolicy()
    package var passport = PassportPolicy()
    package var selfie = SelfiePolicy()
    package var live = LivePolicy()
    package var hologram = HologramVideoPolicy()
    /// The only digest that the model of a role may have (SHA-256, lower hex); a role that is absent may have any.
    package var models: [ModelRole: String] = [:]

    package init(version: String) { self.version = version }

    /// The recommended values.
    package static let standard = CheckPolicy(version: "standard-1")

    /// What findings carry: the version, and a fingerprint of the values, so that two policies of one name are told apart.
    package var identity: String { "\(version)+\(fingerprint)" }

    /// FNV-1a of the canonical values, in 16 hexadecimal digits: against mistakes, not against malice.
    private var fingerprint: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in json.canonicalBytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
