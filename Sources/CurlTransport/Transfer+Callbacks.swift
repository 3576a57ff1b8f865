import CCurl
import DeliveryMachine
import Glibc

extension Transfer {
    /// libcurl calls these while `curl_multi_perform` runs, on the same thread. The state outlives the handle.
    func setCallbacks() throws(DeliveryFault) {
        let context = unsafe Unmanaged.passUnretained(state).toOpaque()
        let codes = unsafe [
            ccurl_set_write_function(handle, CURLOPT_WRITEFUNCTION, receiveAnswer),
            ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context),
            ccurl_set_write_function(handle, CURLOPT_HEADERFUNCTION, receiveHeader),
            ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context),
            ccurl_set_read_function(handle, giveBody),
            ccurl_set_pointer(handle, CURLOPT_READDATA, context),
            ccurl_set_seek_function(handle, seekBody),
            ccurl_set_pointer(handle, CURLOPT_SEEKDATA, context),
            ccurl_set_open_socket_function(handle, openSocket),
            ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context),
            ccurl_set_close_socket_function(handle, closeSocket),
            ccurl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(state.sockets).toOpaque()),
            ccurl_set_prerequest_function(handle, lookAtConnection),
            ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context),
        ]
        guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw CurlLibrary.unavailable }
    }
}

private func state(_ context: UnsafeMutableRawPointer?) -> Transfer.State {
    unsafe Unmanaged<Transfer.State>.fromOpaque(context!).takeUnretainedValue()
}

/// CURLOPT_WRITEFUNCTION(3): another count than was given ends the transfer with code 23.
private func receiveAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let state = unsafe state(context)
    guard let bytes = unsafe bytes else { return 0 }
    guard state.answer.count + count <= state.answerLimit else {
        state.fault = DeliveryFault(
            .answerTooLong, message: "The answer is longer than \(state.answerLimit) bytes.",
            remedy: "Ask the endpoint's operator, or raise the destination's answer limit.")
        return 0
    }
    unsafe state.answer.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
}

/// CURLOPT_HEADERFUNCTION(3): one line a call, of every response, also of a 1xx before the final one.
private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let state = unsafe state(context)
    guard let bytes = unsafe bytes else { return 0 }
    state.headerBytes += count
    guard state.headerBytes <= state.headerLimit else { return 0 }
    let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    if state.isHeadComplete {
        // behind a complete head comes the next one, or, behind a chunked body, a trailer, which says nothing here
        guard line.hasPrefix("HTTP/") else { return count }
        state.headers.removeAll()
        state.isHeadComplete = false
        return count
    }
    if line == "\r\n" || line == "\n" { state.isHeadComplete = true }
    guard let colon = line.firstIndex(of: ":") else { return count }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    state.headers.append(Header(String(line[..<colon]), String(value.prefix { $0 != "\r\n" && $0 != "\r" && $0 != "\n" })))
    return count
}

/// CURLOPT_READFUNCTION(3): 0 is the end, CURL_READFUNC_ABORT ends the transfer with code 42, CURL_READFUNC_PAUSE waits until
/// the transport resumes it.
private func giveBody(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let state = unsafe state(context)
    guard let buffer = unsafe buffer, let body = state.body else { return 0 }
    var room = Int(min(Int64(size * count), body.contentLength - state.offset))
    guard room > 0 else { return 0 }
    if let limiter = state.limiter {
        room = limiter.take(room)
        if room == 0 {
            state.isPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
    }
    let filled: Int
    do {
        filled = try unsafe read(body, ahead: state.ahead, at: state.offset, into: buffer, count: room)
    } catch {
        state.fault = error
        return Int(CURL_READFUNC_ABORT)
    }
    state.offset += Int64(filled)
    state.furthest = max(state.furthest, state.offset)
    state.limiter?.giveBack(room - filled)
    return filled
}

private func read(
    _ body: RequestBody, ahead: ReadAhead?, at offset: Int64, into buffer: UnsafeMutablePointer<CChar>, count: Int
) throws(DeliveryFault) -> Int {
    if let ahead { return try unsafe ahead.read(at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: count)) }
    let target = unsafe UnsafeMutableBufferPointer(
        start: UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UInt8.self), count: count)
    var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
    try body.read(at: offset, into: &output)
    return unsafe output.finalize(for: target)
}

/// CURLOPT_SEEKFUNCTION(3): libcurl rewinds when a reused connection turns out to be dead, to send the request again by itself.
/// Once the whole body was handed over the endpoint may have taken it in: then the transfer ends with code 65, and what comes
/// next, a question about its status or the same bytes again, is for the worker to decide.
private func seekBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    let state = unsafe state(context)
    let length = state.body?.contentLength ?? 0
    guard origin == SEEK_SET, offset >= 0, offset <= length, state.furthest < length else { return CURL_SEEKFUNC_FAIL }
    state.offset = Int64(offset)
    return CURL_SEEKFUNC_OK
}

/// CURLOPT_OPENSOCKETFUNCTION(3): called with the resolved address, so a name cannot lead to a private one.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let state = unsafe state(context)
    guard let address = unsafe address else { return ccurl_no_socket }
    // the field is of the size of an IPv4 address; an IPv6 one goes on behind it
    let start = unsafe UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
    let length = unsafe min(Int(address.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    if let refusal = state.policy.refusal(family: unsafe address.pointee.family, socketAddress: bytes) {
        state.fault = refusal
        return ccurl_no_socket
    }
    let number = unsafe socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    state.isOnNewConnection = true
    if number >= 0 { state.sockets.insert(number) }
    return number
}

/// CURLOPT_CLOSESOCKETFUNCTION(3): a connection may outlive the transfer that opened it, so its context is the transport's.
private func closeSocket(_ context: UnsafeMutableRawPointer?, _ number: curl_socket_t) -> Int32 {
    unsafe Unmanaged<OpenSockets>.fromOpaque(context!).takeUnretainedValue().remove(number)
    return close(number)
}

/// CURLOPT_PREREQFUNCTION(3): the connection stands and nothing was sent yet. It may be one that another destination, which may
/// reach other addresses, has opened.
private func lookAtConnection(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?, _ ownAddress: UnsafeMutablePointer<CChar>?,
    _ port: Int32, _ ownPort: Int32
) -> Int32 {
    let state = unsafe state(context)
    if let address = unsafe address, let refusal = state.policy.refusal(connectedTo: unsafe String(cString: address)) {
        state.fault = refusal
        return CURL_PREREQFUNC_ABORT
    }
    // of a name's several addresses one may have been refused before another was connected to
    if state.fault?.code == .addressRefused { state.fault = nil }
    guard !state.isOnNewConnection, state.sockets.hasInput(localPort: ownPort) else { return CURL_PREREQFUNC_OK }
    state.foundLeftover = true
    return CURL_PREREQFUNC_ABORT
}
