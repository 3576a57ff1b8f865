import Cryptography
package import DeliveryMachine
import SystemCalls

extension Ledger {
    /// Fetches the secrets that the settings name.
    package var secrets: SecretReader { SecretReader(ledger: files.folder) }

    /// The destinations of the settings for one run, without the credentials of their requests.
    ///
    /// - Throws: `credential_unreadable` for the credential of a proxy.
    package func destinations() throws(LedgerError) -> [Destination] {
        var result: [Destination] = []
        for destination in settings.destinations {
            do throws(SettingsProblem) { result.append(try destination.resolved(secrets)) } catch { throw LedgerError(error) }
        }
        return result
    }

    /// Tells two credentials apart, and is of no use in another ledger.
    package func fingerprint(of credential: [UInt8]) -> String {
        let digest = SHA256.digest(of: Array("credential fingerprint".utf8) + ledgerID.bytes + credential)
        return String(digest.hex.prefix(32))
    }
}

extension DestinationSettings {
    /// With paths that are found wherever this process stands, and with what a connection itself needs.
    func resolved(_ secrets: SecretReader) throws(SettingsProblem) -> Destination {
        var result = endpoint
        result.headers = headers
        result.transfer.authorityFile = endpoint.transfer.authorityFile.map(secrets.path)
        result.transfer.clientCertificateFile = endpoint.transfer.clientCertificateFile.map(secrets.path)
        result.transfer.clientKeyFile = endpoint.transfer.clientKeyFile.map(secrets.path)
        if let proxyCredential { result.transfer.proxyCredential = try readProxyCredential(proxyCredential, secrets) }
        return result
    }

    private func readProxyCredential(
        _ source: SecretSource, _ secrets: SecretReader
    ) throws(SettingsProblem) -> ProxyCredential {
        let place = "destinations.\(name).transfer.proxy_credential_file"
        let line = try secrets.line(source, at: place)
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "What \(place) names is not a user and a password.",
                remedy: "Write user:password into it, as one line.")
        }
        return ProxyCredential(user: String(line[..<colon]), password: String(line[line.index(after: colon)...]))
    }
}
