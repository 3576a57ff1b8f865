internal import CMicroHTTPD

// libmicrohttpd calls `onRequest` once for the head, then for each piece of the body, then once more at its end, and
// `onCompleted` in any case at last. See microhttpd.h, MHD_AccessHandlerCallback.

let onRequest: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, uploadData, uploadSize, state -> MHD_Result in
    guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
        let method = unsafe method, let uploadSize = unsafe uploadSize, let state = unsafe state
    else { return .NO }

    guard let pointer = unsafe state.pointee else {
        let router = unsafe Unmanaged<Router>.fromOpaque(context).takeUnretainedValue()
        let head = unsafe HTTPRequestHead(
            method: String(cString: method), path: String(cString: url), query: queryArguments(of: connection),
            headers: headerFields(of: connection))
        if framingIsAmbiguous(head) {
            let refusal = HTTPResponse(status: 400, contentType: "text/plain", text: "The length of the body is ambiguous.\n")
            return unsafe send(.response(refusal), on: connection)
        }
        let plan = router.handler(head)
        if case .answer(let answer) = plan { return unsafe send(answer, on: connection) }
        let exchange = Exchange(plan, head)
        unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return .YES
    }

    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let size = unsafe uploadSize.pointee
    if size > 0, let uploadData = unsafe uploadData {
        let bytes = unsafe UnsafeRawBufferPointer(start: uploadData, count: size).bindMemory(to: UInt8.self)
        let verdict = exchange.receive(unsafe bytes.span)
        unsafe uploadSize.pointee = 0
        if let verdict { return unsafe send(.drop(verdict), on: connection) }
        return .YES
    }
    guard let answer = exchange.finish() else { return .NO }
    return unsafe send(answer, on: connection)
}

let onCompleted: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state = unsafe state, let pointer = unsafe state.pointee else { return }
    unsafe state.pointee = nil
    unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().completed()
}

/// Two lengths, or a length and a transfer coding, mean that two readers could see two messages (RFC 9112 §6.3).
private func framingIsAmbiguous(_ head: HTTPRequestHead) -> Bool {
    let lengths = head.headers.all("Content-Length")
    let codings = head.headers.all("Transfer-Encoding")
    return lengths.count > 1 || (!lengths.isEmpty && !codings.isEmpty)
        || lengths.contains { $0.isEmpty || !$0.utf8.allSatisfy { 48...57 ~= $0 } }
}

private func headerFields(of connection: OpaquePointer) -> HTTPHeaders {
    var headers = HTTPHeaders()
    unsafe collect(.HEADER_KIND, of: connection) { headers.add($0, $1) }
    return headers
}

private func queryArguments(of connection: OpaquePointer) -> [(name: String, value: String)] {
    var arguments: [(name: String, value: String)] = []
    unsafe collect(.GET_ARGUMENT_KIND, of: connection) { arguments.append((name: $0, value: $1)) }
    return arguments
}

private func collect(_ kind: MHD_ValueKind, of connection: OpaquePointer, _ body: (String, String) -> Void) {
    withoutActuallyEscaping(body) { body in
        var collector = body
        _ = unsafe withUnsafeMutablePointer(to: &collector) { pointer in
            unsafe MHD_get_connection_values_n(
                connection, kind,
                { context, _, key, keySize, value, valueSize -> MHD_Result in
                    guard let context = unsafe context, let key = unsafe key else { return .NO }
                    let collector = unsafe context.assumingMemoryBound(to: ((String, String) -> Void).self).pointee
                    let name = unsafe String(decoding: UnsafeRawBufferPointer(start: key, count: keySize), as: UTF8.self)
                    let text = unsafe String(
                        decoding: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize), as: UTF8.self)
                    collector(name, text)
                    return .YES
                }, pointer)
        }
    }
}
