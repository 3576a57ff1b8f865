import CaptureLedger
import DeliveryMachine

/// Tokens that are sent as they are: the current one and, during a rotation, the next.
final class BearerTokens: TokenSource {
    /// A file is looked at again after this long, so that a rotation during a long run is noticed before a refusal.
    private static let fileAge: Duration = .seconds(5)
    /// Running a command may cost somebody else a request.
    private static let commandAge: Duration = .seconds(300)

    private let sources: [(source: SecretSource, place: String)]
    private let secrets: SecretReader
    private let steady: () -> Duration
    private var kept: [(text: String?, readAt: Duration)?]
    private var problem: SettingsProblem?
    /// Refused in this run; one of them is used again only when there is no other.
    private var refused: Set<String> = []

    init(
        _ current: SecretSource, next: SecretSource?, of destination: DestinationSettings, _ secrets: SecretReader,
        steady: @escaping () -> Duration
    ) {
        let auth = "destinations.\(destination.name).auth"
        sources =
            [(current, auth + ".bearer" + Self.suffix(current))]
            + (next.map { [($0, auth + ".next_bearer" + Self.suffix($0))] } ?? [])
        self.secrets = secrets
        self.steady = steady
        kept = sources.map { _ in nil }
    }

    private static func suffix(_ source: SecretSource) -> String { if case .command = source { "_command" } else { "_file" } }

    func token() throws(DeliveryFault) -> String {
        let tokens = tokens(isFresh: false)
        if let token = tokens.first(where: { !refused.contains($0) }) ?? tokens.first { return token }
        throw problem.map { DeliveryFault($0) }
            ?? DeliveryFault(
                .credentialUnavailable, message: "There is no token for this destination.", remedy: "Write one into its file.")
    }

    func renew() throws(DeliveryFault) -> Bool {
        if let token = tokens(isFresh: false).first(where: { !refused.contains($0) }) { refused.insert(token) }
        return tokens(isFresh: true).contains { !refused.contains($0) }
    }

    func fingerprintMaterial() -> [UInt8] { Array(tokens(isFresh: false).joined(separator: "\n").utf8) }

    /// Those that can be had, the current one first. A next one that is not there yet is the usual state of things.
    private func tokens(isFresh: Bool) -> [String] {
        let now = steady()
        problem = nil
        for index in sources.indices {
            let age = if case .command = sources[index].source { Self.commandAge } else { Self.fileAge }
            if !isFresh, let known = kept[index], known.text != nil, now - known.readAt < age { continue }
            do throws(SettingsProblem) {
                kept[index] = (try secrets.line(sources[index].source, at: sources[index].place), now)
            } catch {
                kept[index] = (nil, now)
                if index == 0 { problem = error }
            }
        }
        return kept.compactMap { $0?.text }
    }
}

extension DeliveryFault {
    init(_ problem: SettingsProblem) {
        self.init(.credentialUnavailable, message: problem.message, remedy: problem.remedy)
    }
}
