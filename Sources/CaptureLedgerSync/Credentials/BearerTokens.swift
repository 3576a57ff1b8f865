import CaptureLedger
import DeliveryMachine

/// Tokens that are sent as they are: the current one and, during a rotation, the next.
final class BearerTokens: TokenSource {
    private let current: KeptSecret
    private let next: KeptSecret?
    /// Refused in this run; one of them is used again only when there is no other.
    private var refused: Set<String> = []

    init(
        _ current: SecretSource, next: SecretSource?, of destination: DestinationSettings, _ secrets: SecretReader,
        _ wait: CredentialWait
    ) {
        let auth = "\(destination.place).auth"
        self.current = KeptSecret(current, at: auth + ".bearer", secrets, wait)
        self.next = next.map { KeptSecret($0, at: auth + ".next_bearer", secrets, wait) }
    }

    func token() throws(DeliveryFault) -> String {
        let tokens = tokens(isFresh: false)
        if let token = tokens.first(where: { !refused.contains($0) }) ?? tokens.first { return token }
        do throws(SettingsProblem) { return try current.line() } catch { throw DeliveryFault(error) }
    }

    func renew() throws(DeliveryFault) -> Bool {
        refused.insert(try token())
        return tokens(isFresh: true).contains { !refused.contains($0) }
    }

    func fingerprintMaterial() -> [UInt8] { Array(tokens(isFresh: false).joined(separator: "\n").utf8) }

    /// Those that can be had, the current one first. A next one that is not there yet is the usual state of things.
    private func tokens(isFresh: Bool) -> [String] {
        [current.lineIfAny(isFresh: isFresh), next?.lineIfAny(isFresh: isFresh)].compactMap { $0 }
    }
}

extension DeliveryFault {
    init(_ problem: SettingsProblem) {
        self.init(.credentialUnavailable, message: problem.message, remedy: problem.remedy)
    }
}
