package import DeliveryMachine

/// One destination as the settings describe it. Its secrets stay where they are until a run begins.
package struct DestinationSettings: Sendable {
    /// Everything but what is secret.
    package var endpoint: Destination
    package var auth = AuthSettings()
    /// `user:password` for the proxy.
    package var proxyCredential: SecretSource?
    /// Sent with every request; values count as secret.
    package var headers: [Header] = []

    package var name: String { endpoint.name.text }

    package init(endpoint: Destination) { self.endpoint = endpoint }
}
