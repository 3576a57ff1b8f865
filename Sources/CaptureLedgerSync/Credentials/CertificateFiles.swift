import CaptureLedger
import Cryptography
import DeliveryMachine
import SystemCalls

/// The certificates that a destination's settings name.
struct CertificateFiles {
    let authorityFile: String?
    let clientCertificateFile: String?
    let clientKeyFile: String?

    init(_ transfer: TransferSettings, _ secrets: SecretReader) {
        authorityFile = transfer.authorityFile.map(secrets.path)
        clientCertificateFile = transfer.clientCertificateFile.map(secrets.path)
        clientKeyFile = transfer.clientKeyFile.map(secrets.path)
    }

    static func content(_ path: String) -> [UInt8]? {
        do throws(SystemError) {
            let bytes = try FileDescriptor(readingFile: path).readToEnd(limit: 4 << 20)
            return bytes.count <= 4 << 20 ? bytes : nil
        } catch {
            return nil
        }
    }

    func expiries(of destination: String) -> [CredentialExpiry] {
        var result: [CredentialExpiry] = []
        // the certificate itself stands first in its file; those behind it are its issuers'
        if let time = certificates(clientCertificateFile).first?.notAfterMilliseconds {
            result.append(
                CredentialExpiry(destination: destination, what: .clientCertificate, expiresAtMilliseconds: time))
        }
        if let time = certificates(authorityFile).compactMap(\.notAfterMilliseconds).min() {
            result.append(CredentialExpiry(destination: destination, what: .authority, expiresAtMilliseconds: time))
        }
        return result
    }

    func certificates(_ path: String?) -> [Certificate] {
        path.flatMap(Self.content).map { Certificate.all(inPEM: $0) } ?? []
    }
}
