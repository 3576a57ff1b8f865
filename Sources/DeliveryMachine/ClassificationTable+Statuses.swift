/// Complete answers with another status than 2xx.
extension ClassificationTable {
    static let statusRows: [ClassificationRule] = [
        .init(
            .statuses(300...399), .answered, .pause(.probe), .unclear, .redirected,
            "3xx: never followed, credentials and media go nowhere else"),
        .init(
            .statuses(400...400, 411...411, 413...415, 431...431, 451...451), .answered, .park(.refusedByEndpoint), .works,
            .requestRefused, "the request itself can never succeed"),
        .init(
            .statuses(401...401), .answered, .renewCredential, .unclear, .unauthorized,
            "401: the credential is renewed once, then the destination waits for another"),
        .init(
            .statuses(403...405, 407...407, 501...501, 511...511), .answered, .pause(.probe), .unclear, .endpointRefuses,
            "the endpoint, or what stands before it, takes nothing from us"),
        .init(
            .statuses(408...408, 423...425), .answered, .retry, .unclear, .endpointBusy, "not now, says the endpoint"),
        .init(
            .statuses(409...409), .answered, .retry, .works, .stillInProgress,
            "409: still in progress; asked again with the same key"),
        .init(.statuses(410...410), .answered, .pause(.person), .unclear, .endpointGone, "410: the endpoint is gone for good"),
        .init(
            .statuses(421...421), .answered, .retryOnNewConnection, .unclear, .misdirected,
            "421: the wrong connection; again over a new one"),
        .init(
            .statuses(422...422), .answered, .park(.keyReused), .works, .keyReused,
            "422: the key met another body, which is our fault and worth an alarm"),
        .init(
            .statuses(429...429, 503...503), .answered, .throttle, .unclear, .throttled,
            "too much for the endpoint: the whole destination is left alone for as long as it says"),
        .init(
            .statuses(400...499), .answered, .park(.refusedByEndpoint), .works, .requestRefused,
            "any other 4xx: the request was refused"),
        .init(
            .statuses(500...500, 502...502, 504...504, 507...507, 520...524, 529...530, 598...599), .answered, .retry, .fails,
            .endpointFailed, "the endpoint, or a gateway before it, failed"),
        .init(
            .statuses(500...999), .answered, .retry, .fails, .endpointFailed, "any other status from 500 is a failure"),
    ]
}
