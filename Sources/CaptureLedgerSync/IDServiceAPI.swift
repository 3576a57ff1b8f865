public import CaptureLedger
import CurlTransport
import DeliveryMachine
import Dispatch
import FoundationEssentials
import SessionDomain
import Synchronization

/// One question to the hologram detection API, beside any session: nothing of it is stored and nothing is retried. A session with the
/// piece `hologram` does both.
public enum IDServiceAPI {
    private static let asked = Mutex<Ledger?>(nil)

    /// Whose settings name the endpoint, its credentials and its limits; set once, before the first question.
    public static var ledger: Ledger? {
        get { asked.withLock { $0 } }
        set { asked.withLock { $0 = newValue } }
    }

    /// Asks once, by the rules of every delivery: TLS, no redirects, no private address that is not allowed, an answer of bounded size.
    ///
    /// - Parameters:
    ///   - body: sent as it is.
    ///   - completion: called once, on a thread of its own: the answer, or `hologram_not_configured`, `card_type_unknown`,
    ///     `video_not_base64`, `not_connected`, `no_answer`, `endpoint_failed` (all three retryable), `endpoint_refused`,
    ///     `contract_break`. A failed call is not a low score (S79).
    public static func detectHologram(
        body: HologramDetectionInputModel,
        completion: @escaping @Sendable (Result<HologramDetectionResponse, LedgerError>) -> Void
    ) {
        DispatchQueue(label: "capture-ledger.hologram").async {
            do throws(LedgerError) { completion(.success(try ask(body))) } catch { completion(.failure(error)) }
        }
    }

    private static func ask(_ body: HologramDetectionInputModel) throws(LedgerError) -> HologramDetectionResponse {
        guard let ledger, let destination = ledger.destinations().first(where: { $0.kind == .hologram }) else {
            throw .hologram(
                "hologram_not_configured", "No ledger was named whose settings have a hologram endpoint.",
                remedy: "Set IDServiceAPI.ledger, and `destinations` in that ledger's settings.")
        }
        guard HologramCardType(rawValue: body.cardType) != nil else {
            throw .hologram(
                "card_type_unknown", "The card type is not one that the endpoint knows.",
                remedy: "Use NEW-ID, NEW-DRIVER or INTERNATIONAL.")
        }
        let video = Array(body.video.utf8)
        guard video.allSatisfy(isBase64), video.count % 4 == 0 else {
            throw .hologram("video_not_base64", "The video is not base64.", remedy: "Use base64EncodedString().")
        }
        let result = try transfer(body, video, to: destination, of: ledger)
        return try read(result)
    }

    private static func transfer(
        _ body: HologramDetectionInputModel, _ video: [UInt8], to destination: Destination, of ledger: Ledger
    ) throws(LedgerError) -> TransferResult {
        let tail = JSONValue.members([
            .init("rotate", .integer(Int64(body.rotate))), .init("cardType", .string(body.cardType)),
            .init("transactionId", .string(body.transactionId)),
        ]).canonical
        let frozen = FrozenBody(
            contentType: "application/json", head: Array(#"{"video":""#.utf8), mediaForm: .raw, mediaBytes: Int64(video.count),
            mediaSHA256: [], tail: Array((#"","# + tail.dropFirst()).utf8))
        let key = Ledger.requestKey(of: Array("\(body.transactionId) \(body.rotate) \(body.cardType) ".utf8) + video)
        do throws(DeliveryFault) {
            let transport = try CurlMultiTransport(now: ledger.clock.nowMilliseconds)
            var request = TransferRequest(
                token: key, method: .post, url: destination.url,
                headers: [Header("Idempotency-Key", key.text), Header("Content-Type", frozen.contentType)],
                body: RequestBody(frozen, media: HeldMedia(video)), settings: destination.transfer)
            request.headers += try SettingsAuthority(ledger, destinations: [destination]).headers(for: request, to: destination)
            try transport.start(request)
            while true {
                if let result = try transport.wait(milliseconds: 1_000).first { return result }
            }
        } catch {
            throw .hologram(error.code.rawValue, error.message, remedy: error.remedy, isRetryable: true)
        }
    }

    private static func read(_ result: TransferResult) throws(LedgerError) -> HologramDetectionResponse {
        if let fault = result.localFault { throw .hologram(fault.code.rawValue, fault.message, remedy: fault.remedy) }
        switch ClassificationTable.certainty(curlCode: result.curlCode, status: result.status, bytesSent: result.bytesSent) {
        case .notSent:
            throw .hologram(
                "not_connected", "The hologram endpoint could not be reached; nothing was sent.", remedy: "Try again later.",
                isRetryable: true)
        case .unknown:
            throw .hologram(
                "no_answer", "The hologram endpoint did not answer; the video may have arrived.",
                remedy: "Ask again with the same transaction.", isRetryable: true)
        case .answered: break
        }
        guard (200...299).contains(result.status) else {
            let isRetryable = result.status >= 500 || [408, 409, 423, 424, 425, 429].contains(result.status)
            throw .hologram(
                isRetryable ? "endpoint_failed" : "endpoint_refused",
                "The hologram endpoint answered with status \(result.status).",
                remedy: isRetryable ? "Try again later." : "Look at the request and at the endpoint's credentials.",
                isRetryable: isRetryable)
        }
        do { return try JSONDecoder().decode(HologramDetectionResponse.self, from: Data(result.body)) } catch {
            throw .hologram(
                "contract_break", "The hologram endpoint's answer is not what its contract says.",
                remedy: "Look at docs/hologram-api.md and at what stands between here and the endpoint.")
        }
    }

    private static func isBase64(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}

/// Bytes that are in memory anyway.
private final class HeldMedia: MediaReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: Int64 { Int64(bytes.count) }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        bytes.dropFirst(Int(min(offset, byteCount))).prefix(limit)
    }
}

extension LedgerError {
    fileprivate static func hologram(
        _ code: String, _ message: String, remedy: String, isRetryable: Bool = false
    ) -> LedgerError {
        LedgerError(code: .init(rawValue: code), message: message, remedy: remedy, isRetryable: isRetryable)
    }
}
