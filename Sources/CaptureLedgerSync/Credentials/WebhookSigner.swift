import CaptureLedger
import Cryptography
import DeliveryMachine

/// Signatures over requests in the Standard Webhooks form: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.
///
/// The body is read once more for it, a piece at a time, so memory does not grow with it.
struct WebhookSigner {
    /// Bytes that the specification allows a secret to have.
    private static let secretLength = 24...64
    private static let piece = 256 << 10

    private let secrets: [KeptSecret]
    private let place: String

    init(
        _ signature: SignatureSettings, of destination: DestinationSettings, _ reader: SecretReader,
        _ wait: CredentialWait
    ) {
        let place = "\(destination.place).auth.signature"
        self.place = place
        secrets =
            [KeptSecret(signature.secret, at: place + ".secret", reader, wait)]
            + (signature.nextSecret.map { [KeptSecret($0, at: place + ".next_secret", reader, wait)] } ?? [])
    }

    /// - Throws: `credential_unavailable`; what the media's reader throws.
    func headers(for request: TransferRequest, nowMilliseconds: Int64) throws(DeliveryFault) -> [Header] {
        let seconds = String(nowMilliseconds / 1000)
        let id = request.token.text
        var values: [String] = []
        for key in try keys() {
            values.append("v1," + Base64.encode(try Self.code(key, Array("\(id).\(seconds).".utf8), request.body).bytes))
        }
        return [
            Header("webhook-id", id), Header("webhook-timestamp", seconds),
            Header("webhook-signature", values.joined(separator: " ")),
        ]
    }

    func fingerprintMaterial() -> [UInt8] { secrets.flatMap { Array(($0.lineIfAny() ?? "").utf8) + [0] } }

    private func keys() throws(DeliveryFault) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for secret in secrets {
            let line: String
            do throws(SettingsProblem) { line = try secret.line() } catch { throw DeliveryFault(error) }
            guard let key = Self.key(in: line) else {
                throw DeliveryFault(
                    .credentialUnavailable, message: "What \(place) names is not a signing secret.",
                    remedy: "Write whsec_ and 24 to 64 bytes in base64 into its file, as one line.")
            }
            keys.append(key)
        }
        return keys
    }

    /// nil unless it is `whsec_` and the base64 of as many bytes as are allowed.
    static func key(in line: String) -> [UInt8]? {
        guard line.hasPrefix("whsec_"), let key = Base64.decode(line.dropFirst("whsec_".count)) else { return nil }
        return secretLength.contains(key.count) ? key : nil
    }

    private static func code(_ key: [UInt8], _ head: [UInt8], _ body: RequestBody?) throws(DeliveryFault) -> Digest {
        var code = HMAC(key: key)
        code.update(head)
        guard let body else { return code.finish() }
        var offset: Int64 = 0
        while offset < body.contentLength {
            let bytes = try body.read(at: offset, limit: piece)
            if bytes.isEmpty { throw RequestBody.lengthDiffers }
            code.update(Array(bytes))
            offset += Int64(bytes.count)
        }
        return code.finish()
    }
}
