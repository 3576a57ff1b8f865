package import CaptureLedger
package import DeliveryMachine

/// Credentials as the settings of a ledger describe them. It belongs to one run, on one thread.
package final class SettingsAuthority: RequestAuthority {
    private final class Credential {
        let tokens: (any TokenSource)?
        let signer: WebhookSigner?
        /// Why the proxy's credential is missing.
        let proxyFault: DeliveryFault?

        init(tokens: (any TokenSource)?, signer: WebhookSigner?, proxyFault: DeliveryFault?) {
            self.tokens = tokens
            self.signer = signer
            self.proxyFault = proxyFault
        }
    }

    private let ledger: Ledger
    private let isOver: () -> Bool
    private var credentials: [DestinationName: Credential] = [:]

    /// - Parameters:
    ///   - destinations: of one run, with their connections' settings filled in.
    ///   - isOver: asked several times a second while a credential is waited for. Once it is so, what was not had is `stopped`.
    package convenience init(
        _ ledger: Ledger, destinations: [Destination], isOver: @escaping () -> Bool = { false }
    ) {
        self.init(ledger, destinations: destinations, isOver: isOver) { name in
            ledger.settings.witness.flatMap { $0.name == name ? $0 : nil } ?? ledger.settings.destination(name)
        }
    }

    /// - Parameter settings: by a destination's name.
    package init(
        _ ledger: Ledger, destinations: [Destination], isOver: @escaping () -> Bool = { false },
        settings: (String) -> DestinationSettings?
    ) {
        self.ledger = ledger
        self.isOver = isOver
        let clock = ContinuousClock()
        let start = clock.now
        let wait = CredentialWait(steady: { start.duration(to: clock.now) }, isOver: isOver)
        for destination in destinations {
            guard let settings = settings(destination.name.text) else { continue }
            let tokens: (any TokenSource)? =
                switch settings.auth.token {
                case .bearer(let current, let next):
                    BearerTokens(current, next: next, of: settings, ledger.secrets, wait)
                case .oauth2(let oauth):
                    OAuthTokens(
                        oauth, of: settings, ledger, endpoint: TokenEndpoint(destination, clock: ledger.clock), wait)
                case nil: nil
                }
            credentials[destination.name] = Credential(
                tokens: tokens,
                signer: settings.auth.signature.map { WebhookSigner($0, of: settings, ledger.secrets, wait) },
                proxyFault: destination.transfer.proxyCredential == nil ? Self.proxyFault(settings, ledger.secrets) : nil)
        }
    }

    private static func proxyFault(_ settings: DestinationSettings, _ secrets: SecretReader) -> DeliveryFault? {
        do throws(SettingsProblem) {
            if try settings.readProxyCredential(secrets) == nil { return nil }
            return DeliveryFault(
                .credentialUnavailable, message: "The proxy's credential could not be read a moment ago.",
                remedy: "Nothing: the next run reads it again.")
        } catch { return DeliveryFault(error) }
    }

    package func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
        guard let credential = credentials[destination.name] else { return destination.headers }
        do throws(DeliveryFault) { return try self.headers(for: request, to: destination, credential) } catch {
            throw ended(error)
        }
    }

    private func headers(
        for request: TransferRequest, to destination: Destination, _ credential: Credential
    ) throws(DeliveryFault) -> [Header] {
        var headers = destination.headers
        if let fault = credential.proxyFault { throw fault }
        if let tokens = credential.tokens { headers.append(Header("Authorization", "Bearer " + (try tokens.token()))) }
        if let signer = credential.signer {
            headers += try signer.headers(for: request, nowMilliseconds: ledger.clock.nowMilliseconds())
        }
        return headers
    }

    package func renew(_ destination: Destination) throws(DeliveryFault) -> Bool {
        do throws(DeliveryFault) { return try credentials[destination.name]?.tokens?.renew() ?? false } catch {
            throw ended(error)
        }
    }

    /// What was not had because nobody waited for it any longer.
    private func ended(_ fault: DeliveryFault) -> DeliveryFault {
        guard fault.code == .credentialUnavailable, isOver() else { return fault }
        return DeliveryFault(.stopped, message: "The run ended before the credential came.", remedy: "The next run goes on.")
    }

    package func fingerprint(of destination: Destination) -> String? {
        let credential = credentials[destination.name]
        var material: [UInt8] = credential?.tokens?.fingerprintMaterial() ?? []
        material += [0] + (credential?.signer?.fingerprintMaterial() ?? [])
        for field in destination.headers { material += [0] + Array("\(field.name): \(field.value)".utf8) }
        if let proxy = destination.transfer.proxyCredential { material += [0] + Array("\(proxy.user):\(proxy.password)".utf8) }
        return material == [0] ? nil : ledger.fingerprint(of: material)
    }
}
