import CCurl
package import DeliveryMachine
package import SessionDomain
import Synchronization

/// The transport over libcurl's multi interface: one thread moves all transfers, connections are reused between them.
///
/// Redirects and retries are off: what a transfer did is told, never repeated.
@safe package final class CurlMultiTransport: Transport {
    /// Kept open for the next transfers: one for each that the largest in-flight limit allows.
    private static let idleConnections = 256

    private let multi: UnsafeMutableRawPointer
    private let now: () -> Int64
    private let sockets = OpenSockets()
    private var transfers: [DeliveryID: Transfer] = [:]
    /// By the address of their handle, which is all that libcurl tells of one that ended.
    private var tokens: [UInt: DeliveryID] = [:]
    private var ended: [TransferResult] = []
    private var limiters: [DestinationName: RateLimiter] = [:]
    private let steady: () -> Duration
    private let showsPeers: Bool
    private let roomyTransfers: Int
    /// Of the transfers that ended, when asked for.
    package private(set) var peers: [DeliveryID: Peer] = [:]
    private let isWoken = Atomic(false)
    /// Of the request before.
    private var lastPolicy: AddressPolicy?

    /// - Parameters:
    ///   - now: wall-clock milliseconds, for the results' times only.
    ///   - showsPeers: keeps who answered.
    ///   - roomyTransfers: so many under way have a large buffer each; those beyond are so many that theirs must be small.
    package init(
        now: @escaping () -> Int64, showsPeers: Bool = false, roomyTransfers: Int = 16
    ) throws(DeliveryFault) {
        try CurlLibrary.start()
        guard let multi = unsafe curl_multi_init() else { throw CurlLibrary.unavailable }
        unsafe self.multi = unsafe multi
        // Unset, libcurl keeps four connections for each transfer of the moment: few, when most have just ended.
        unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.idleConnections)
        self.now = now
        self.showsPeers = showsPeers
        self.roomyTransfers = roomyTransfers
        let clock = ContinuousClock()
        let start = clock.now
        steady = { start.duration(to: clock.now) }
    }

    deinit {
        for transfer in transfers.values { unsafe curl_multi_remove_handle(multi, transfer.handle) }
        transfers.removeAll()
        unsafe curl_multi_cleanup(multi)
        CurlLibrary.blocks.release()
    }

    package var transfersUnderWay: Int { transfers.count + ended.count }

    package func start(_ request: TransferRequest) throws(DeliveryFault) {
        let started = now()
        guard transfers[request.token] == nil else {
            throw DeliveryFault(
                .transportUnavailable, message: "This delivery already has a transfer under way.",
                remedy: "Report this as a fault of the program.")
        }
        let policy = policy(for: request)
        if let refusal = policy.refusalBeforeResolution {
            ended.append(
                TransferResult(
                    token: request.token, curlCode: Int32(CURLE_UNSUPPORTED_PROTOCOL.rawValue), status: 0, headers: [],
                    body: [],
                    bytesSent: 0, startedAtMilliseconds: started, finishedAtMilliseconds: started, localFault: refusal))
            return
        }
        try add(
            try Transfer(
                request, policy: policy, sockets: sockets, limiter: limiter(for: request.settings),
                uploadBytes: transfers.count < roomyTransfers ? 1 << 20 : 256 << 10, readsAhead: readsAhead(request),
                showsPeer: showsPeers,
                startedAtMilliseconds: started))
    }

    private func add(_ transfer: Transfer) throws(DeliveryFault) {
        guard unsafe curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else { throw CurlLibrary.unavailable }
        transfers[transfer.token] = transfer
        tokens[unsafe UInt(bitPattern: transfer.handle)] = transfer.token
    }

    package func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(max(0, milliseconds))
        while true {
            try move()
            if !ended.isEmpty {
                defer { ended.removeAll() }
                return ended
            }
            if isWoken.exchange(false, ordering: .acquiring) { return [] }
            let left = Int64(clock.now.duration(to: deadline) / .milliseconds(1))
            guard left > 0 else { return [] }
            let turn = limiters.values.compactMap(\.millisecondsToNextTurn).min() ?? 1_000
            guard unsafe curl_multi_poll(multi, nil, 0, Int32(max(1, min(left, turn, 1_000))), nil) == CURLM_OK else {
                throw CurlLibrary.unavailable
            }
        }
    }

    /// Has `wait` return soon, from any thread: the one call that another thread may make; see curl_multi_wakeup(3).
    package func wake() {
        // whoever was woken and has not looked yet will see this one's news too
        if isWoken.exchange(true, ordering: .acquiringAndReleasing) { return }
        unsafe curl_multi_wakeup(multi)
    }

    package func cancel(_ token: DeliveryID) {
        guard let transfer = transfers[token] else { return }
        transfer.state.fault = DeliveryFault(
            .stopped, message: "The transfer was stopped on this side.",
            remedy: "Run sync again: the same key and the same bytes are sent.")
        // what an abort means depends on the bytes that had left
        finish(transfer, code: CURLE_ABORTED_BY_CALLBACK)
    }

    /// A large body that is sent as fast as it can be, as long as few others are read ahead.
    private func readsAhead(_ request: TransferRequest) -> Bool {
        guard ReadAhead.isWorthwhile, request.settings.bandwidth == nil, let body = request.body else { return false }
        return body.contentLength >= ReadAhead.leastBytes && transfers.values.count { $0.state.ahead != nil } < 2
    }

    private func policy(for request: TransferRequest) -> AddressPolicy {
        if let policy = lastPolicy, policy.holds(for: request) { return policy }
        let policy = AddressPolicy(request)
        lastPolicy = policy
        return policy
    }

    private func limiter(for settings: TransferSettings) -> RateLimiter? {
        guard let bandwidth = settings.bandwidth else { return nil }
        if let known = limiters[bandwidth.destination], known.bytesPerSecond == bandwidth.bytesPerSecond { return known }
        let limiter = RateLimiter(bytesPerSecond: bandwidth.bytesPerSecond, now: steady)
        limiters[bandwidth.destination] = limiter
        return limiter
    }

    /// Pauses that libcurl was asked for in a callback end here: curl_easy_pause(3) may not be called from the same callback.
    private func resumePaused() {
        for limiter in limiters.values {
            for transfer in limiter.resumable() { unsafe _ = curl_easy_pause(transfer.handle, ccurl_pause_continue) }
        }
    }

    private func move() throws(DeliveryFault) {
        resumePaused()
        var running: Int32 = 0
        guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { throw CurlLibrary.unavailable }
        for transfer in transfers.values where transfer.state.isPaused {
            transfer.state.isPaused = false
            transfer.state.limiter?.wait(transfer)
        }
        var code = CURLE_OK
        while let handle = unsafe ccurl_next_done(multi, &code) {
            guard let token = tokens[UInt(bitPattern: handle)], let transfer = transfers[token] else { continue }
            if let again = try transfer.onNewConnection() {
                remove(transfer)
                try add(again)
            } else {
                finish(transfer, code: code)
            }
        }
    }

    private func finish(_ transfer: Transfer, code: CURLcode) {
        ended.append(transfer.result(code: code, finishedAtMilliseconds: now()))
        if showsPeers { peers[transfer.token] = transfer.peer }
        remove(transfer)
    }

    private func remove(_ transfer: Transfer) {
        transfer.state.limiter?.forget(transfer)
        unsafe curl_multi_remove_handle(multi, transfer.handle)
        tokens[unsafe UInt(bitPattern: transfer.handle)] = nil
        transfers[transfer.token] = nil
    }
}
