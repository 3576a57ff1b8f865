package import DeliveryMachine
import SystemCalls

extension Ledger {
    /// The destinations of the settings with their credentials, read anew for one run.
    ///
    /// - Throws: `credential_unreadable`.
    package func destinations() throws(LedgerError) -> [Destination] {
        var result: [Destination] = []
        for destination in settings.destinations {
            do {
                result.append(
                    try destination.resolved(
                        readFile: { try FileDescriptor(opening: $0, .read, followLinks: true).readToEnd(limit: 64 << 10) },
                        fingerprint: { fingerprint(of: $0) }))
            } catch {
                throw LedgerError(error)
            }
        }
        return result
    }

    /// Tells two credentials apart, and is of no use in another ledger.
    private func fingerprint(of credential: [UInt8]) -> String {
        let digest = Digests.sha256(Array("credential fingerprint".utf8) + ledgerID.bytes + credential)
        return digest.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
