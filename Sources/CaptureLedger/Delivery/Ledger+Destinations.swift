import Cryptography
package import DeliveryMachine
import SystemCalls

extension Ledger {
    /// Fetches the secrets that the settings name.
    package var secrets: SecretReader { SecretReader(ledger: files.folder) }

    /// The destinations of the settings for one run, without the credentials of their requests. One whose proxy's credential
    /// cannot be had comes without it: whoever gives requests their credentials refuses it those, and the others go on.
    package func destinations() -> [Destination] { settings.destinations.map { $0.resolved(secrets) } }

    /// Who is sent every checkpoint, with what a connection to it needs; nil where the settings name nobody.
    package func witness() -> Destination? { settings.witness?.resolved(secrets) }

    /// Tells two credentials apart, and is of no use in another ledger.
    package func fingerprint(of credential: [UInt8]) -> String {
        let digest = SHA256.digest(of: Array("credential fingerprint".utf8) + ledgerID.bytes + credential)
        return String(digest.hex.prefix(32))
    }
}

extension DestinationSettings {
    /// With paths that are found wherever this process stands, and with what a connection itself needs.
    package func resolved(_ secrets: SecretReader) -> Destination {
        var result = endpoint
        result.headers = headers
        result.transfer.authorityFile = endpoint.transfer.authorityFile.map(secrets.path)
        result.transfer.clientCertificateFile = endpoint.transfer.clientCertificateFile.map(secrets.path)
        result.transfer.clientKeyFile = endpoint.transfer.clientKeyFile.map(secrets.path)
        result.transfer.proxyCredential = try? readProxyCredential(secrets)
        return result
    }

    /// nil where the settings name none.
    package func readProxyCredential(_ secrets: SecretReader) throws(SettingsProblem) -> ProxyCredential? {
        guard let source = proxyCredential else { return nil }
        let place = "\(place).transfer.proxy_credential_file"
        let line = try secrets.line(source, at: place)
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "What \(place) names is not a user and a password.",
                remedy: "Write user:password into it, as one line.")
        }
        return ProxyCredential(user: String(line[..<colon]), password: String(line[line.index(after: colon)...]))
    }
}
