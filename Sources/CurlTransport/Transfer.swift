import CCurl
import DeliveryMachine
import SessionDomain

/// One request under way: an easy handle and what its callbacks write.
@safe final class Transfer {
    /// What the callbacks see; libcurl holds a pointer to it as long as the handle lives.
    final class State {
        let body: RequestBody?
        /// Of a large body.
        let ahead: ReadAhead?
        let policy: AddressPolicy
        let answerLimit: Int
        let headerLimit: Int
        var offset: Int64 = 0
        /// The furthest byte of the body that libcurl has taken: a rewind does not take it back.
        var furthest: Int64 = 0
        var headers: [Header] = []
        var headerBytes = 0
        var answer: [UInt8] = []
        var fault: DeliveryFault?
        /// The blank line behind the head of the last answer was seen.
        var isHeadComplete = true
        let sockets: OpenSockets
        /// It opened a connection of its own: whatever arrives on it is an answer to it.
        var isOnNewConnection = false
        /// The connection it was given held bytes that nobody had asked for; nothing was sent on it.
        var foundLeftover = false
        let limiter: RateLimiter?
        /// Paused until its turn comes at the limiter.
        var isPaused = false

        init(
            _ request: TransferRequest, _ policy: AddressPolicy, _ sockets: OpenSockets, _ limiter: RateLimiter?,
            readsAhead: Bool
        ) {
            self.sockets = sockets
            self.limiter = limiter
            body = request.body
            ahead = readsAhead ? request.body.map { ReadAhead($0) } : nil
            self.policy = policy
            answerLimit = request.settings.answerLimitBytes
            headerLimit = request.settings.headerLimitBytes
        }
    }

    let token: DeliveryID
    let handle: UnsafeMutableRawPointer
    let state: State
    private let request: TransferRequest
    private let startedAtMilliseconds: Int64
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    private let showsPeer: Bool
    let uploadBytes: Int

    /// - Parameters:
    ///   - uploadBytes: read and handed to the kernel in one go: the more, the fewer times each side is woken.
    ///   - readsAhead: has another thread read the body.
    ///   - showsPeer: keeps the peer's certificates for `peer`.
    init(
        _ request: TransferRequest, policy: AddressPolicy, sockets: OpenSockets, limiter: RateLimiter? = nil,
        uploadBytes: Int = 256 << 10, readsAhead: Bool = false, showsPeer: Bool = false, startedAtMilliseconds: Int64
    ) throws(DeliveryFault) {
        guard let handle = unsafe curl_easy_init() else { throw CurlLibrary.unavailable }
        unsafe self.handle = unsafe handle
        token = request.token
        self.request = request
        self.showsPeer = showsPeer
        self.uploadBytes = uploadBytes
        state = State(request, policy, sockets, limiter, readsAhead: readsAhead)
        self.startedAtMilliseconds = startedAtMilliseconds
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe headerList = try Self.list(Self.headers(of: request))
        try setOptions(request)
        if showsPeer { try set(CURLOPT_CERTINFO, 1) }
        guard unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK else {
            throw CurlLibrary.unavailable
        }
        guard unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerList) == CURLE_OK else { throw CurlLibrary.unavailable }
        try setCallbacks()
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headerList)
        unsafe errorText.deallocate()
    }

    func result(code: CURLcode, finishedAtMilliseconds: Int64) -> TransferResult {
        var result = TransferResult(
            token: token, curlCode: complete(Int32(code.rawValue)), status: info(CURLINFO_RESPONSE_CODE),
            headers: state.headers, body: state.answer,
            bytesSent: request.method == .post ? state.furthest : Int64(info(CURLINFO_REQUEST_SIZE)),
            startedAtMilliseconds: startedAtMilliseconds, finishedAtMilliseconds: finishedAtMilliseconds,
            localFault: state.fault)
        let refusal = TLSRefusal(
            code: code, text: unsafe String(cString: errorText), status: result.status,
            isNewConnection: state.isOnNewConnection)
        if result.status == 0, result.bytesSent == 0, code == CURLE_RECV_ERROR, info(CURLINFO_HTTP_CONNECTCODE) >= 300 {
            // the tunnel was never there
            result.curlCode = Int32(CURLE_PROXY.rawValue)
            if info(CURLINFO_HTTP_CONNECTCODE) == 407, result.localFault == nil { result.localFault = Self.proxyRefuses }
        }
        if let refusal, result.localFault == nil {
            result.curlCode = refusal.code
            result.localFault = refusal.fault
            result.bytesSent = 0
        }
        return result
    }

    private static let proxyRefuses = DeliveryFault(
        .configuration, message: "The proxy wants another credential (407).",
        remedy: "Write user:password into the file that the destination's proxy_credential_file names.")

    /// The same request on a connection of its own, when nothing was sent on the one that it was given.
    func onNewConnection() throws(DeliveryFault) -> Transfer? {
        guard state.foundLeftover, state.furthest == 0, state.fault == nil else { return nil }
        var request = request
        request.needsNewConnection = true
        return try Transfer(
            request, policy: state.policy, sockets: state.sockets, limiter: state.limiter, uploadBytes: uploadBytes,
            readsAhead: state.ahead != nil,
            showsPeer: showsPeer, startedAtMilliseconds: startedAtMilliseconds)
    }

    /// libcurl's code, unless it calls an exchange complete that is not: an answer whose head was cut off by the end of the
    /// connection, and a yes to a request that was not sent whole (both measured with 7.88.1).
    private func complete(_ code: Int32) -> Int32 {
        guard code == 0 else { return code }
        if !state.isHeadComplete { return Int32(CURLE_PARTIAL_FILE.rawValue) }
        let isYes = (200..<300).contains(info(CURLINFO_RESPONSE_CODE))
        return isYes && uploadedBytes < request.body?.contentLength ?? 0 ? Int32(CURLE_SEND_ERROR.rawValue) : code
    }

    /// Of the body, what the kernel or TLS has taken in the last try: less than `furthest`, when libcurl's buffer was not sent whole.
    private var uploadedBytes: Int64 {
        var value: curl_off_t = 0
        return unsafe ccurl_get_offset(handle, CURLINFO_SIZE_UPLOAD_T, &value) == CURLE_OK ? Int64(value) : 0
    }

    /// curl_easy_getinfo(3); 0 where libcurl knows nothing.
    private func info(_ name: CURLINFO) -> Int {
        var value = 0
        return unsafe ccurl_get_long(handle, name, &value) == CURLE_OK ? value : 0
    }

    private static func headers(of request: TransferRequest) -> [String] {
        // no 100-continue: libcurl repeats a request by itself after a 417, and a missing answer costs a second
        var lines = ["Expect:", "Accept: application/json"]
        for field in request.headers where isSafe(field) { lines.append("\(field.name): \(field.value)") }
        return lines
    }

    /// A line break in a value would begin another field.
    private static func isSafe(_ field: Header) -> Bool {
        !field.name.isEmpty && !field.value.isEmpty
            && (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func list(_ lines: [String]) throws(DeliveryFault) -> UnsafeMutablePointer<curl_slist>? {
        var head: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe curl_slist_append(head, line) else {
                unsafe curl_slist_free_all(head)
                throw CurlLibrary.unavailable
            }
            unsafe head = unsafe longer
        }
        return unsafe head
    }
}
