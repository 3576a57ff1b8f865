import CCurl
import DeliveryMachine
import SessionDomain

/// One request under way: an easy handle and what its callbacks write.
@safe final class Transfer {
    /// What the callbacks see; libcurl holds a pointer to it as long as the handle lives.
    final class State {
        let body: RequestBody?
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

        init(_ request: TransferRequest) {
            body = request.body
            policy = AddressPolicy(request)
            answerLimit = request.settings.answerLimitBytes
            headerLimit = request.settings.headerLimitBytes
        }
    }

    let token: DeliveryID
    let handle: UnsafeMutableRawPointer
    let state: State
    private let method: TransferRequest.Method
    private let startedAtMilliseconds: Int64
    private var headerList: UnsafeMutablePointer<curl_slist>?

    init(_ request: TransferRequest, startedAtMilliseconds: Int64) throws(DeliveryFault) {
        guard let handle = unsafe curl_easy_init() else { throw CurlLibrary.unavailable }
        unsafe self.handle = unsafe handle
        token = request.token
        method = request.method
        state = State(request)
        self.startedAtMilliseconds = startedAtMilliseconds
        unsafe headerList = try Self.list(Self.headers(of: request))
        try setOptions(request)
        guard unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerList) == CURLE_OK else { throw CurlLibrary.unavailable }
        try setCallbacks()
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headerList)
    }

    func result(code: Int32, finishedAtMilliseconds: Int64) -> TransferResult {
        TransferResult(
            token: token, curlCode: code, status: info(CURLINFO_RESPONSE_CODE), headers: state.headers, body: state.answer,
            bytesSent: method == .post ? state.furthest : Int64(info(CURLINFO_REQUEST_SIZE)),
            startedAtMilliseconds: startedAtMilliseconds, finishedAtMilliseconds: finishedAtMilliseconds,
            localFault: state.fault)
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
