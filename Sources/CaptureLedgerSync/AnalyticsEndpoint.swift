package import CaptureLedger
import CurlTransport
import DeliveryMachine
import SessionDomain

/// Sends batches of analytics events to a reporter, one POST each, by the rules of every delivery: TLS, no redirects, no private
/// address that is not allowed, credentials as the settings have them. It never repeats a request: the checkpoint does.
package final class AnalyticsEndpoint {
    private let ledger: Ledger
    private let destination: Destination
    private let authority: SettingsAuthority
    private let transport: CurlMultiTransport

    /// - Parameter url: nil: the settings' reporter.
    /// - Throws: `address_refused`, `setting_missing`, what keeps libcurl from working.
    package init(_ ledger: Ledger, url: String?) throws(LedgerError) {
        self.ledger = ledger
        let settings: DestinationSettings
        do throws(SettingsProblem) { settings = try ledger.settings.reporter(at: url) } catch {
            throw LedgerError(code: .init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy)
        }
        destination = settings.resolved(ledger.secrets)
        authority = SettingsAuthority(ledger, destinations: [destination]) { _ in settings }
        do throws(DeliveryFault) { transport = try CurlMultiTransport(now: ledger.clock.nowMilliseconds) } catch {
            throw LedgerError(error)
        }
    }

    /// Returns when the reporter has acknowledged the batch.
    ///
    /// - Throws: `reporter_unreachable`, `reporter_failed` (both retryable), `reporter_refused`.
    package func send(_ batch: ReportedBatch) throws(LedgerError) {
        let bytes = batch.json.canonicalBytes
        let key = Ledger.requestKey(of: bytes)
        let frozen = FrozenBody(
            contentType: "application/json", head: bytes, mediaForm: .raw, mediaBytes: 0, mediaSHA256: [], tail: [])
        var result: TransferResult
        do throws(DeliveryFault) {
            result = try exchange(key, frozen)
            // a token that ran out meanwhile is renewed once
            if result.status == 401, try authority.renew(destination) { result = try exchange(key, frozen) }
        } catch {
            throw LedgerError(error)
        }
        try Self.judge(result)
    }

    private func exchange(_ key: DeliveryID, _ frozen: FrozenBody) throws(DeliveryFault) -> TransferResult {
        var request = TransferRequest(
            token: key, method: .post, url: destination.url,
            headers: [Header("Idempotency-Key", key.text), Header("Content-Type", frozen.contentType)],
            body: RequestBody(frozen, media: NoMedia()), settings: destination.transfer)
        request.headers += try authority.headers(for: request, to: destination)
        try transport.start(request)
        var results: [TransferResult] = []
        while results.isEmpty { results = try transport.wait(milliseconds: 1_000) }
        return results[0]
    }

    private static func judge(_ result: TransferResult) throws(LedgerError) {
        if let fault = result.localFault { throw LedgerError(fault) }
        guard result.curlCode == 0 else {
            throw LedgerError(
                code: .init(rawValue: "reporter_unreachable"),
                message: "The reporter gave no answer (libcurl's code \(result.curlCode)).",
                remedy: "Export again later: it goes on with the batch that was not acknowledged.", isRetryable: true)
        }
        switch result.status {
        case 200...299:
            guard result.isPage else { return }
            throw LedgerError(
                code: .init(rawValue: "reporter_failed"),
                message: "The reporter answered with a page and acknowledged nothing.",
                remedy: "Look at what answers at its address, such as a captive portal or a proxy; then export again.",
                isRetryable: true)
        case 408, 409, 423, 425, 429, 500...599:
            throw LedgerError(
                code: .init(rawValue: "reporter_failed"), message: "The reporter answered with status \(result.status).",
                remedy: "Export again later: it goes on with the batch that was not acknowledged.", isRetryable: true)
        default:
            throw LedgerError(
                code: .init(rawValue: "reporter_refused"), message: "The reporter answered with status \(result.status).",
                remedy: "Look at its address and credentials, and at what it expects; nothing was skipped.")
        }
    }
}

extension LedgerError {
    fileprivate init(_ fault: DeliveryFault) {
        self.init(
            code: .init(rawValue: fault.code.rawValue), message: fault.message, remedy: fault.remedy, isRetryable: true)
    }
}
