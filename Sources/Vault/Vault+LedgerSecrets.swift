import Cryptography
import SystemCalls

extension Vault {
    /// Seals a secret that belongs to the ledger and to no session, such as a token that is kept between runs. It opens in this
    /// ledger only, for the same purpose only.
    package func sealLedgerSecret(_ plain: [UInt8], purpose: String) -> [UInt8] {
        let nonce = SecureRandom.bytes(Nonce.byteCount)
        var cipher = AESGCM(key: ledgerKey(purpose))
        var sealed = [Self.secretFormat] + nonce
        cipher.seal(plain.span, nonce: Nonce(nonce)!, aad: Array(purpose.utf8).span, appendingTo: &sealed)
        return sealed
    }

    /// - Throws: `truncated`, `unknown_format`, `authentication_failed`.
    package func openLedgerSecret(_ sealed: [UInt8], purpose: String) throws(VaultError) -> [UInt8] {
        guard sealed.count > 1 + Nonce.byteCount, let nonce = Nonce(sealed[1...Nonce.byteCount]) else {
            throw VaultError(.truncated)
        }
        guard sealed[0] == Self.secretFormat else { throw VaultError(.unknownFormat) }
        var cipher = AESGCM(key: ledgerKey(purpose))
        var plain: [UInt8] = []
        do throws(CryptographyError) {
            try cipher.open(
                sealed.span.extracting(droppingFirst: 1 + Nonce.byteCount), nonce: nonce, aad: Array(purpose.utf8).span,
                appendingTo: &plain)
        } catch {
            throw VaultError(.authenticationFailed)
        }
        return plain
    }

    private static var secretFormat: UInt8 { 1 }

    private func ledgerKey(_ purpose: String) -> SecretKey {
        var bytes = ledgerCode(0x81, Array("capture-ledger secret v1 ".utf8) + Array(purpose.utf8))
        defer { cleanse(&bytes) }
        return SecretKey(copying: bytes)!
    }
}
