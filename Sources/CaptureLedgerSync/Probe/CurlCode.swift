/// libcurl's codes for a person who looks at a connection; see libcurl-errors(3).
enum CurlCode {
    struct Explanation {
        let message: String
        let remedy: String
        var isTLS = false
    }

    static func explanation(_ code: Int32, isSecure: Bool, usesProxy: Bool) -> Explanation {
        switch code {
        case 5: Explanation(message: "The proxy's name cannot be resolved.", remedy: "Check proxy, and this machine's DNS.")
        case 6: Explanation(message: "The endpoint's name cannot be resolved.", remedy: "Check url, and this machine's DNS.")
        case 7 where usesProxy:
            Explanation(message: "Nobody answers at the proxy's address.", remedy: "Check proxy, the firewall, and the proxy.")
        case 7: Explanation(message: "Nobody answers at the address.", remedy: "Check url, the firewall, and the endpoint.")
        case 28:
            Explanation(message: "No answer came in time.", remedy: "Check the firewall and the endpoint, or run it again.")
        case 35:
            Explanation(
                message: "The TLS handshake failed.", remedy: "Check that the port speaks TLS; ask the endpoint's operator.",
                isTLS: true)
        case 58:
            Explanation(
                message: "Our client certificate cannot be used.",
                remedy: "Check client_certificate_file and client_key_file with config check.", isTLS: true)
        case 60:
            Explanation(
                message: "The endpoint's certificate is not trusted: another host's, expired, or of an unknown authority.",
                remedy: "Check url and ca_file; ask the endpoint's operator.", isTLS: true)
        case 77: Explanation(message: "The authorities in ca_file cannot be read.", remedy: "Check the file.", isTLS: true)
        case 90:
            Explanation(
                message: "The endpoint's public key is not the pinned one.",
                remedy: "If its operator changed the key, change pinned_public_key.", isTLS: true)
        case 97: Explanation(message: "The proxy refused to connect.", remedy: "Check proxy and proxy_credential_file.")
        case _ where isSecure && [52, 55, 56].contains(code):
            Explanation(
                message: "The endpoint broke the exchange off (libcurl's code \(code)).",
                remedy: "Run it again. One that wants a client certificate, or another than client_certificate_file holds, "
                    + "may end like this too; ask the endpoint's operator.")
        default:
            Explanation(
                message: "The exchange broke off (libcurl's code \(code)).",
                remedy: "Run it again; ask the endpoint's operator.")
        }
    }
}
