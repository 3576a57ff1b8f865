import DeliveryMachine
import SessionDomain

/// One request on its way, with what the client and the server come to know of it.
final class Flight {
    let process: Int
    let token: DeliveryID
    let server: Int
    let isQuestion: Bool
    let url: String
    let authorization: String?
    /// Whole, as it was handed over.
    let body: [UInt8]
    let startedAt: Int64
    let startedAtCorrected: Int64
    /// As far as the client's side sent it.
    var bytesSent: Int64 = 0
    /// What the client will be told, and from when on it will not change.
    var result: TransferResult?
    /// The client knows how it ended, or is gone.
    var isOver = false
    /// Copies that are still on their way to the server.
    var arrivals = 0
    /// Whose answer the client gets when the request arrives more than once.
    var ignoresAnswers = 0
    /// The answer is lost on its way back: libcurl's code and the status line that got through.
    var losesAnswer: (code: Int32, status: Int)?

    init(_ request: TransferRequest, body: [UInt8], process: Int, server: Int, at time: Int64, corrected: Int64) {
        self.process = process
        token = request.token
        self.server = server
        isQuestion = request.method == .get
        url = request.url
        authorization = request.headers.last(named: "authorization")
        self.body = body
        startedAt = time
        startedAtCorrected = corrected
    }

    /// What counts as sent once all of it is: the body, or the head of a request without one.
    var length: Int64 { isQuestion ? 120 : Int64(body.count) }

    func ended(
        _ code: Int32, status: Int = 0, headers: [Header] = [], body: [UInt8] = [], at corrected: Int64,
        fault: DeliveryFault? = nil
    ) -> TransferResult {
        TransferResult(
            token: token, curlCode: code, status: status, headers: headers, body: body, bytesSent: bytesSent,
            startedAtMilliseconds: startedAtCorrected, finishedAtMilliseconds: max(startedAtCorrected, corrected),
            localFault: fault)
    }
}

/// What a capture's media is in a world: a few bytes that name it.
struct Original {
    let bytes: [UInt8]
    /// Whoever opens it dies of it.
    var isPoisoned = false
    /// Its sealed file does not open.
    var isDamaged = false
}

/// Media in memory; a damaged one opens and then does not go on.
final class OriginalReader: MediaReader {
    private let original: Original

    init(_ original: Original) { self.original = original }

    var byteCount: Int64 { Int64(original.bytes.count) }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        if original.isDamaged {
            throw DeliveryFault(.mediaUnreadable, message: "A chunk does not open.", remedy: "None.")
        }
        return original.bytes.dropFirst(Int(offset)).prefix(limit)
    }
}
