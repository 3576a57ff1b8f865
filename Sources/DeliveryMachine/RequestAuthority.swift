/// Port: what proves to an endpoint who is asking, made anew for every request.
package protocol RequestAuthority: AnyObject {
    /// Header fields of one request: the destination's own, a token, a signature over the body. Values are secrets: never
    /// logged, never stored.
    ///
    /// - Throws: `credential_unavailable` when there is none; nothing is sent then. What the media's reader throws while a body
    ///   is signed.
    func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header]

    /// The endpoint refused the credential in use (401). True when another one is at hand by now, so that the request is
    /// worth repeating at once.
    func renew(_ destination: Destination) throws(DeliveryFault) -> Bool

    /// Changes whenever the credential in use does, and says nothing about it; a change lifts a pause after a 401.
    func fingerprint(of destination: Destination) -> String?
}

/// Credentials that do not change during a run: the destination's own header fields.
package final class FixedAuthority: RequestAuthority {
    package init() {}
    package func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
        destination.headers
    }
    package func renew(_ destination: Destination) throws(DeliveryFault) -> Bool { false }
    package func fingerprint(of destination: Destination) -> String? { destination.credentialFingerprint }
}
