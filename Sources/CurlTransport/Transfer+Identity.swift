import CCurl
import DeliveryMachine

extension Transfer {
    /// Who we speak to, who we are, and by which way.
    func setIdentity(_ settings: TransferSettings) throws(DeliveryFault) {
        try set(
            CURLOPT_SSLVERSION, Int(settings.minimumTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        if let file = settings.authorityFile { try set(CURLOPT_CAINFO, file) }
        if let file = settings.clientCertificateFile { try set(CURLOPT_SSLCERT, file) }
        if let file = settings.clientKeyFile { try set(CURLOPT_SSLKEY, file) }
        // without one OpenSSL would ask for the passphrase of an encrypted key on the terminal
        if settings.clientKeyFile != nil { try set(CURLOPT_KEYPASSWD, "") }
        if let pin = settings.pinnedPublicKey { try set(CURLOPT_PINNEDPUBLICKEY, pin) }
        try setProxy(settings)
    }

    private func setProxy(_ settings: TransferSettings) throws(DeliveryFault) {
        // empty values also turn off what the environment says
        try set(CURLOPT_PROXY, settings.proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        guard let proxy = settings.proxy else { return }
        try set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        if Origin(proxy)?.scheme == "https", let file = settings.authorityFile { try set(CURLOPT_PROXY_CAINFO, file) }
        if let credential = settings.proxyCredential {
            try set(CURLOPT_PROXYAUTH, Int(ccurl_auth_basic))
            try set(CURLOPT_PROXYUSERNAME, credential.user)
            try set(CURLOPT_PROXYPASSWORD, credential.password)
        }
    }
}
