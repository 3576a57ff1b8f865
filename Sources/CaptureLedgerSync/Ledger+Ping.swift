package import CaptureLedger
import CurlTransport
import DeliveryMachine
import SessionDomain

extension Ledger {
    /// Asks for an address once, by the transport's rules (TLS, no redirects, no private address that is not allowed), and forgets
    /// the answer. From a thread that may block.
    ///
    /// - Parameter limit: milliseconds until it is given up.
    /// - Returns: nil when it was answered with 2xx, else what went wrong, as part of a sentence; the address is not in it.
    package func ping(_ url: String, allowedAddresses: [String], limitMilliseconds limit: Int) -> String? {
        var settings = TransferSettings()
        settings.connectTimeoutMilliseconds = max(1, limit)
        settings.totalTimeoutMilliseconds = max(1, limit)
        settings.allowedAddresses = allowedAddresses
        settings.answerLimitBytes = 64 << 10
        let now = clock.nowMilliseconds()
        let token = DeliveryID(UUID128(high: UInt64(bitPattern: now), low: 1))
        do throws(DeliveryFault) {
            let transport = try CurlMultiTransport(now: clock.nowMilliseconds)
            try transport.start(
                TransferRequest(token: token, method: .get, url: url, headers: [], body: nil, settings: settings))
            guard let result = try transport.wait(milliseconds: limit + 100).first else { return "no answer came in time" }
            if let fault = result.localFault { return fault.message }
            if result.curlCode != 0 { return "no answer came (libcurl's code \(result.curlCode))" }
            return (200...299).contains(result.status) ? nil : "it was answered with status \(result.status)"
        } catch { return error.message }
    }
}
