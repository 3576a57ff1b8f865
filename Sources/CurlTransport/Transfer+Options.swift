import CCurl
import DeliveryMachine

extension Transfer {
    /// Everything that makes a transfer predictable: one protocol, no redirect, no retry, an end to every wait.
    func setOptions(_ request: TransferRequest) throws(DeliveryFault) {
        let settings = request.settings
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_PROTOCOLS_STR, state.policy.origin?.scheme ?? "https")
        try set(CURLOPT_HTTP_VERSION, settings.httpVersion == .http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_FAILONERROR, 0)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        // decoded by libcurl a piece at a time, so that the limit is reached long before a bomb has opened
        try set(CURLOPT_ACCEPT_ENCODING, "gzip")
        try set(CURLOPT_USERAGENT, "capture-ledger/1")
        try set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeoutMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, settings.totalTimeoutMilliseconds)
        try set(CURLOPT_LOW_SPEED_LIMIT, settings.lowSpeedBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, settings.lowSpeedSeconds)
        try set(CURLOPT_FRESH_CONNECT, request.needsNewConnection ? 1 : 0)
        try setIdentity(settings)
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .head: try set(CURLOPT_NOBODY, 1)
        case .post:
            try set(CURLOPT_POST, 1)
            try set(CURLOPT_UPLOAD_BUFFERSIZE, uploadBytes)
            try check(
                unsafe ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.contentLength ?? 0)))
        }
    }

    /// curl_easy_setopt(3): every failure here is a setting that this libcurl does not take, or no memory.
    func check(_ code: CURLcode) throws(DeliveryFault) {
        guard code == CURLE_OK else { throw CurlLibrary.unavailable }
    }

    func set(_ option: CURLoption, _ value: Int) throws(DeliveryFault) {
        try check(unsafe ccurl_set_long(handle, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(DeliveryFault) {
        try check(unsafe ccurl_set_string(handle, option, value))
    }
}
