import CurlTransport
import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

/// One request over a transport of its own, or over one that keeps its connections.
func exchange(
    _ url: String, method: TransferRequest.Method = .post, headers: [Header] = [], body: [UInt8] = Array("hello".utf8),
    token: DeliveryID = Claims.verifier(1).id, over transport: CurlMultiTransport? = nil,
    _ change: (inout TransferSettings) -> Void = { _ in }
) throws -> TransferResult {
    try perform(request(url, method: method, headers: headers, body: body, token: token, change), over: transport)
}

func perform(_ request: TransferRequest, over transport: CurlMultiTransport? = nil) throws -> TransferResult {
    let transport = try transport ?? CurlMultiTransport { 0 }
    try transport.start(request)
    var results: [TransferResult] = []
    for _ in 0..<60 where results.isEmpty { results = try transport.wait(milliseconds: 1_000) }
    return try #require(results.first)
}

func request(
    _ url: String, method: TransferRequest.Method = .post, headers: [Header] = [], body: [UInt8] = Array("hello".utf8),
    token: DeliveryID = Claims.verifier(1).id, _ change: (inout TransferSettings) -> Void = { _ in }
) -> TransferRequest {
    var settings = TransferSettings()
    settings.totalTimeoutMilliseconds = 20_000
    change(&settings)
    return TransferRequest(
        token: token, method: method, url: url, headers: headers, body: method == .post ? rawBody(BytesReader(body)) : nil,
        settings: settings)
}

/// A body of nothing but media.
func rawBody(_ media: any MediaReader) -> RequestBody {
    RequestBody(
        FrozenBody(
            contentType: "application/octet-stream", head: [], mediaForm: .raw, mediaBytes: media.byteCount, mediaSHA256: [],
            tail: []),
        media: media)
}

/// What the machine makes of a result.
func certainty(_ result: TransferResult) -> Certainty {
    ClassificationTable.certainty(curlCode: result.curlCode, status: result.status, bytesSent: result.bytesSent)
}
