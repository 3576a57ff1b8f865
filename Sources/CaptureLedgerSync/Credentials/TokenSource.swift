import DeliveryMachine

/// Where the token of a destination's requests comes from.
protocol TokenSource: AnyObject {
    /// The token to send now.
    ///
    /// - Throws: `credential_unavailable`.
    func token() throws(DeliveryFault) -> String

    /// The endpoint refused the token that was given last. True when another one is at hand.
    func renew() throws(DeliveryFault) -> Bool

    /// The secrets that the token comes from; they change when a person changed something.
    func fingerprintMaterial() -> [UInt8]
}
