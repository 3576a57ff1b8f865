import CCurl
import DeliveryMachine

/// What libcurl's code leaves open about a handshake that did not end, from the sentence that OpenSSL gives.
///
/// A client certificate that TLS 1.3 misses is refused only after this side has begun to send: the code is then one of an
/// interrupted transfer although the endpoint never took the request.
struct TLSRefusal {
    /// The code to report in place of libcurl's.
    let code: Int32
    let fault: DeliveryFault

    /// - Parameters:
    ///   - text: what libcurl wrote into its error buffer; it is never shown.
    ///   - isNewConnection: the transfer made its connection.
    init?(code: CURLcode, text: String, status: Int, isNewConnection: Bool) {
        guard status == 0, isNewConnection else { return nil }
        func says(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }
        switch code {
        case CURLE_SSL_CONNECT_ERROR where says("unsupported protocol", "protocol version", "version too low"):
            self.code = Int32(code.rawValue)
            fault = DeliveryFault(
                .untrusted, message: "The endpoint speaks no TLS version that is accepted.",
                remedy: "Have the endpoint's operator enable TLS 1.2 or later, or look at the destination's minimum_tls.")
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            guard
                says(
                    "alert certificate required", "alert bad certificate", "alert unknown ca", "alert certificate unknown",
                    "alert certificate expired", "alert certificate revoked", "alert unsupported certificate",
                    "alert handshake failure", "alert access denied")
            else { return nil }
            self.code = Int32(CURLE_SSL_CERTPROBLEM.rawValue)
            fault = DeliveryFault(
                .untrusted, message: "The endpoint refused our side of the TLS handshake.",
                remedy: "Check the destination's client_certificate_file and client_key_file: the endpoint may want them, "
                    + "or other ones.")
        default: return nil
        }
    }
}
