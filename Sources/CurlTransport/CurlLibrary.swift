import CCurl
import DeliveryMachine

/// libcurl's process-wide part.
enum CurlLibrary {
    /// curl_global_init(3) must run once, before any other thread uses libcurl.
    private static let initialised: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    static func start() throws(DeliveryFault) {
        guard initialised == CURLE_OK else { throw unavailable }
    }

    static let unavailable = DeliveryFault(
        .transportUnavailable, message: "libcurl could not be started.",
        remedy: "Free memory or file descriptors and run sync again; nothing was sent.")
}
