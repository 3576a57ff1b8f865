import CCurl
import DeliveryMachine
import Glibc

/// libcurl's process-wide part.
enum CurlLibrary {
    /// It asks for a buffer with every upload and gives it back behind it: fresh pages for it, cleared and mapped by the
    /// kernel, took a tenth of the processor's time of a delivery.
    static let blocks = BlockPool()

    /// It must run once, before any other thread uses libcurl. A host that has begun libcurl before keeps its own memory. See
    /// curl_global_init_mem(3).
    private static let initialised: CURLcode = unsafe curl_global_init_mem(
        Int(CURL_GLOBAL_DEFAULT), { count in unsafe blocks.take(count) ?? malloc(count) },
        { block in unsafe blocks.give(block) }, { block, count in unsafe realloc(block, count) },
        { text in unsafe strdup(text!) }, { count, size in unsafe calloc(count, size) })

    static func start() throws(DeliveryFault) {
        guard initialised == CURLE_OK else { throw unavailable }
    }

    static let unavailable = DeliveryFault(
        .transportUnavailable, message: "libcurl could not be started.",
        remedy: "Free memory or file descriptors and run sync again; nothing was sent.")
}
