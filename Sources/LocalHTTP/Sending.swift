internal import CMicroHTTPD
import Glibc

/// Queues an answer, or ends the connection.
func send(_ answer: HTTPAnswer, on connection: OpaquePointer) -> MHD_Result {
    switch answer {
    case .drop(.close):
        return .NO
    case .drop(.reset):
        unsafe ledger_http_reset(connection)
        return .NO
    case .response(let response):
        guard let handle = unsafe makeResponse(response.body) else { return .NO }
        defer { unsafe MHD_destroy_response(handle) }
        for field in response.headers.fields {
            // a field that libmicrohttpd refuses (a line break in a value) would falsify the answer
            guard unsafe MHD_add_response_header(handle, field.name, field.value) == .YES else { return .NO }
        }
        return unsafe MHD_queue_response(connection, UInt32(response.status), handle)
    }
}

private func makeResponse(_ body: HTTPResponse.Body) -> OpaquePointer? {
    switch body {
    case .bytes(let bytes):
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
    case .truncated(let bytes, let declared):
        return unsafe makeStreamed(Pump(OnePiece(bytes), isCutShort: true), size: UInt64(max(declared, bytes.count + 1)))
    case .stream(let source, let length):
        return unsafe makeStreamed(Pump(source, isCutShort: false), size: length ?? ledger_http_size_unknown())
    }
}

private func makeStreamed(_ pump: Pump, size: UInt64) -> OpaquePointer? {
    let context = unsafe Unmanaged.passRetained(pump).toOpaque()
    let handle = unsafe MHD_create_response_from_callback(
        size, 32 * 1024,
        { context, _, buffer, limit -> Int in
            guard let context = unsafe context, let buffer = unsafe buffer else { return ledger_http_end_with_error() }
            let pump = unsafe Unmanaged<Pump>.fromOpaque(context).takeUnretainedValue()
            guard let bytes = pump.next(atMost: limit) else {
                return pump.isCutShort ? ledger_http_end_with_error() : ledger_http_end_of_stream()
            }
            unsafe bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            return bytes.count
        }, context,
        { context in
            if let context = unsafe context { unsafe Unmanaged<Pump>.fromOpaque(context).release() }
        })
    if unsafe handle == nil { unsafe Unmanaged<Pump>.fromOpaque(context).release() }
    return unsafe handle
}

/// Carries a source through the C callback and keeps what did not fit.
private final class Pump {
    let isCutShort: Bool
    private let source: any HTTPBodySource
    private var rest: ArraySlice<UInt8> = []

    init(_ source: any HTTPBodySource, isCutShort: Bool) {
        self.source = source
        self.isCutShort = isCutShort
    }

    func next(atMost limit: Int) -> [UInt8]? {
        if rest.isEmpty {
            guard let bytes = source.next(atMost: limit), !bytes.isEmpty else { return nil }
            rest = bytes[...]
        }
        let piece = rest.prefix(limit)
        rest = rest.dropFirst(piece.count)
        return Array(piece)
    }
}

private final class OnePiece: HTTPBodySource, @unchecked Sendable {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes.isEmpty ? nil : bytes }

    func next(atMost limit: Int) -> [UInt8]? {
        defer { bytes = nil }
        return bytes
    }
}
