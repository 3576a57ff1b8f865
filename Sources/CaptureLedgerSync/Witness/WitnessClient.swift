import CaptureLedger
import Cryptography
import CurlTransport
import DeliveryMachine
import SessionDomain
import SystemCalls

/// Sends checkpoints to a witness as c2sp.org/tlog-witness has it, over the same transport and under the same rules as deliveries.
struct WitnessClient {
    enum Answer {
        /// Lines of signatures; empty where it gave none.
        case taken(String)
        /// It has a tree of this size as its last one.
        case knows(Int64)
    }

    private static let path = "/add-checkpoint"

    let destination: Destination
    let ledger: Ledger
    let isOver: () -> Bool

    private var address: String {
        if destination.url.hasSuffix(Self.path) { return destination.url }
        return (destination.url.hasSuffix("/") ? String(destination.url.dropLast()) : destination.url) + Self.path
    }

    /// - Parameter path: from the tree of `old` events to the checkpoint's.
    /// - Throws: `witness_unreachable`, which may pass by itself; `witness_refused`.
    func add(old: Int64, path: [Digest], note: String) throws(LedgerError) -> Answer {
        let body = (["old \(old)"] + path.map { Base64.encode($0.bytes) }).map { $0 + "\n" }.joined() + "\n" + note
        let result: TransferResult
        do throws(DeliveryFault) { result = try exchange(Array(body.utf8)) } catch {
            throw Self.unreachable(error.message, remedy: error.remedy)
        }
        if let fault = result.localFault { throw Self.unreachable(fault.message, remedy: fault.remedy) }
        guard result.curlCode == 0 else {
            throw Self.unreachable(
                "No answer came (libcurl's code \(result.curlCode)).", remedy: "Check audit.witness, the network and the proxy."
            )
        }
        switch result.status {
        case 200...299:
            guard !result.isPage else {
                throw Self.unreachable(
                    "It answered with a page.",
                    remedy: "Look at what answers at its address, such as a captive portal or a proxy.")
            }
            return .taken(Self.signatures(result.body))
        case 409:
            let text = String(decoding: result.body, as: UTF8.self)
            guard let size = Int64(text.prefix { $0.isNumber }), size >= 0 else { throw Self.refused(409) }
            return .knows(size)
        case 500...599, 429, 408:
            throw Self.unreachable("It answered with status \(result.status).", remedy: "Nothing: the next run tries again.")
        default: throw Self.refused(result.status)
        }
    }

    private func exchange(_ body: [UInt8]) throws(DeliveryFault) -> TransferResult {
        let words = SecureRandom.words()
        var request = TransferRequest(
            token: DeliveryID(UUID128(high: words.0, low: words.1)), method: .post, url: address,
            headers: [Header("Content-Type", "text/plain; charset=utf-8")],
            body: RequestBody(
                FrozenBody(contentType: "", head: body, mediaForm: .raw, mediaBytes: 0, mediaSHA256: [], tail: []),
                media: NoMedia()),
            settings: destination.transfer)
        let authority = SettingsAuthority(ledger, destinations: [destination], isOver: isOver)
        request.headers += try authority.headers(for: request, to: destination)
        let transport = try CurlMultiTransport(now: ledger.clock.nowMilliseconds)
        try transport.start(request)
        while !isOver() {
            if let result = try transport.wait(milliseconds: 100).first { return result }
        }
        throw DeliveryFault(
            .stopped, message: "The run ended before it answered.", remedy: "Nothing: the next run tries again.")
    }

    /// What looks like signature lines of a note, and nothing else of the answer.
    private static func signatures(_ body: [UInt8]) -> String {
        String(decoding: body, as: UTF8.self).split(separator: "\n").filter { line in
            line.hasPrefix("\u{2014} ") && line.utf8.count < 8 << 10
                && line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }.prefix(16).map { $0 + "\n" }.joined()
    }

    private static func unreachable(_ why: String, remedy: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "witness_unreachable"), message: "The witness could not be reached. \(why)", remedy: remedy,
            isRetryable: true)
    }

    private static func refused(_ status: Int) -> LedgerError {
        let remedy =
            switch status {
            case 404: "Give its operator the origin and the verifier's key that audit checkpoint prints."
            case 403, 401: "Check audit.witness.auth, and give its operator the verifier's key that audit checkpoint prints."
            case 422: "Run audit verify: the witness says that this log does not go on from what it has seen."
            default: "Ask its operator; audit.witness.url is what add-checkpoint is appended to."
            }
        return LedgerError(
            code: .init(rawValue: "witness_refused"), message: "The witness refused the checkpoint with status \(status).",
            remedy: remedy)
    }
}
