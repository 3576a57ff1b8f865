package import SessionDomain

/// Port: sends requests, many at a time, and never repeats, redirects or judges one.
///
/// Not thread-safe: one worker starts transfers and waits for them.
package protocol Transport: AnyObject {
    /// Begins a transfer; its result comes from a later `wait`, also when it fails at once.
    func start(_ request: TransferRequest) throws(DeliveryFault)

    /// Moves all transfers on, and returns those that ended, as soon as one has, or after the time given.
    func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult]

    /// Ends a transfer at once; its result comes from the next `wait`.
    func cancel(_ token: DeliveryID)

    var transfersUnderWay: Int { get }
}

package struct TransferRequest {
    package enum Method: String, Sendable {
        case post = "POST"
        case get = "GET"
        /// For looking at an endpoint; nothing is delivered by it.
        case head = "HEAD"
    }

    /// Names the transfer in its result: one delivery has one transfer at a time.
    package var token: DeliveryID
    package var method: Method
    package var url: String
    package var headers: [Header]
    package var body: RequestBody?
    package var settings: TransferSettings
    /// 421 asks for it.
    package var needsNewConnection: Bool

    package init(
        token: DeliveryID, method: Method, url: String, headers: [Header], body: RequestBody?, settings: TransferSettings,
        needsNewConnection: Bool = false
    ) {
        self.token = token
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.settings = settings
        self.needsNewConnection = needsNewConnection
    }
}

/// How a transfer ended, without judgement.
package struct TransferResult: Sendable {
    package var token: DeliveryID
    /// libcurl's code; 0 is a complete exchange.
    package var curlCode: Int32
    /// The last status line seen; a 1xx is not final.
    package var status: Int
    /// Of the last status only.
    package var headers: [Header]
    /// Decoded, at most the limit of the settings.
    package var body: [UInt8]
    /// Bytes of the request's body handed to the network, or for a request without one, of its head.
    package var bytesSent: Int64
    package var startedAtMilliseconds: Int64
    package var finishedAtMilliseconds: Int64
    /// Why our own side ended it, when it did.
    package var localFault: DeliveryFault?

    package init(
        token: DeliveryID, curlCode: Int32, status: Int, headers: [Header], body: [UInt8], bytesSent: Int64,
        startedAtMilliseconds: Int64, finishedAtMilliseconds: Int64, localFault: DeliveryFault? = nil
    ) {
        self.token = token
        self.curlCode = curlCode
        self.status = status
        self.headers = headers
        self.body = body
        self.bytesSent = bytesSent
        self.startedAtMilliseconds = startedAtMilliseconds
        self.finishedAtMilliseconds = finishedAtMilliseconds
        self.localFault = localFault
    }
}
