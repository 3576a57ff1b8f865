internal import CMicroHTTPD
import Glibc
import Synchronization

/// A small HTTP/1.1 server over libmicrohttpd, one thread a connection.
///
/// The handler sees the head of a request and says what becomes of its body: answered without reading, collected, or
/// streamed into a sink with constant memory. Handlers of different connections run at the same time and may block; what
/// blocks for long waits on ``stopSignal`` so that ``stop()`` is quick. Messages with two lengths, or with a length and
/// a transfer coding, are refused with 400 before the handler sees them.
package final class HTTPServer: Sendable {
    package struct Options: Sendable {
        /// An IPv4 or IPv6 address, written literally; loopback unless told otherwise.
        package var address = "127.0.0.1"
        /// 0 picks a free port.
        package var port: UInt16 = 0
        package var connectionLimit = 512
        /// Bytes of buffer for each connection; bounds the head of a request and the size of a body's pieces.
        package var memoryPerConnection = 96 * 1024
        /// A connection idle for so long is closed; 0 for never.
        package var idleSeconds = 120

        package init(port: UInt16 = 0) { self.port = port }
    }

    package let port: UInt16
    package let stopSignal: StopSignal
    private let address: String
    private let daemon: Mutex<DaemonHandle?>
    private let router: Router

    /// Listens at once.
    ///
    /// - Throws: `address_invalid`; `cannot_listen` when the port is taken or not permitted.
    package init(
        _ options: Options = Options(), stopSignal: StopSignal = StopSignal(),
        handler: @escaping @Sendable (HTTPRequestHead) -> HTTPBodyPlan
    ) throws(HTTPServerError) {
        self.stopSignal = stopSignal
        address = options.address
        router = Router(handler: handler)
        let socketAddress = try SocketAddress(options.address, port: options.port)
        guard let handle = DaemonHandle(socketAddress, options, router) else {
            throw HTTPServerError(
                code: .cannotListen, message: "Cannot listen on \(options.address) port \(options.port): \(lastSystemError()).",
                remedy: "Choose another port, or 0 for a free one.")
        }
        port = unsafe ledger_http_port(handle.pointer)
        daemon = Mutex(handle)
    }

    deinit { stop() }

    /// `http://address:port`, without a slash at the end.
    package var origin: String {
        address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
    }

    /// Closes the listening socket and every connection, and waits for the handlers under way. Safe to repeat.
    package func stop() {
        stopSignal.raise()
        let handle = daemon.withLock { daemon in
            let handle = daemon
            daemon = nil
            return handle
        }
        if let handle { unsafe MHD_stop_daemon(handle.pointer) }
    }
}

/// What the C callbacks get as their context; outlives the daemon.
final class Router: Sendable {
    let handler: @Sendable (HTTPRequestHead) -> HTTPBodyPlan

    init(handler: @escaping @Sendable (HTTPRequestHead) -> HTTPBodyPlan) {
        self.handler = handler
    }
}

/// The daemon's pointer; libmicrohttpd locks for itself.
@safe private struct DaemonHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init?(_ address: SocketAddress, _ options: HTTPServer.Options, _ router: Router) {
        let context = unsafe Unmanaged.passUnretained(router).toOpaque()
        let started = unsafe address.withPointer { socketAddress in
            unsafe ledger_http_start(
                socketAddress, address.isIPv6 ? 1 : 0, UInt32(options.memoryPerConnection),
                UInt32(options.connectionLimit), UInt32(options.idleSeconds), onRequest, onCompleted, context)
        }
        guard let started = unsafe started else { return nil }
        unsafe pointer = started
    }
}

func lastSystemError() -> String {
    let code = errno
    return unsafe String(cString: strerror(code))
}
