import DeliveryMachine
import Testing

@Suite struct ClassificationTests {
    // written out from the specification, so that the table is compared with something else than itself
    static let notSent: Set<Int32> = [5, 6, 7, 35, 58, 59, 60, 64, 66, 77, 82, 83, 90, 91, 96, 97]
    static let unknown: Set<Int32> = [16, 18, 52, 55, 56, 65, 92, 95]
    static let dependsOnBytes: Set<Int32> = [1, 8, 23, 27, 28, 42, 61, 63]

    @Test func `every code, status and byte count has the certainty of the specification`() {
        for code in Int32(0)...99 {
            for status in [0, 100, 103, 200, 404, 503] {
                for bytes: Int64 in [0, 1, 1 << 30] {
                    let found = ClassificationTable.certainty(curlCode: code, status: status, bytesSent: bytes)
                    let expected: Certainty =
                        if code == 0 { status >= 200 ? .answered : .unknown } else if Self.unknown.contains(code) {
                            .unknown
                        } else { bytes > 0 ? .unknown : .notSent }
                    #expect(found == expected, "code \(code), status \(status), bytes \(bytes)")
                }
            }
        }
        for code in Self.notSent.union(Self.dependsOnBytes) {
            #expect(ClassificationTable.certainty(curlCode: code, status: 0, bytesSent: 0) == .notSent)
        }
        #expect(ClassificationTable.notSentCodes == Self.notSent)
        #expect(ClassificationTable.unknownCodes == Self.unknown)
    }

    @Test func `a short body is unknown although its status is 200, and a reset mid-upload although it says 100`() {
        #expect(ClassificationTable.certainty(curlCode: 18, status: 200, bytesSent: 10) == .unknown)
        #expect(ClassificationTable.certainty(curlCode: 56, status: 100, bytesSent: 10) == .unknown)
        #expect(ClassificationTable.certainty(curlCode: 1, status: 0, bytesSent: 10) == .unknown)
        // a second try of libcurl's own that could not connect says nothing about the first
        #expect(ClassificationTable.certainty(curlCode: 7, status: 0, bytesSent: 10) == .unknown)
    }

    @Test func `every status from 200 to 999 has the action of the specification`() {
        for status in 200...999 {
            let expected: StatusAction =
                switch status {
                case 202: .poll
                case 200...299: .apply
                case 300...399: .pause(liftedByCredential: false)
                case 401: .pause(liftedByCredential: true)
                case 403, 404, 405, 407, 501, 511: .pause(liftedByCredential: false)
                case 408, 409, 423, 424, 425: .retry
                case 410: .disable
                case 421: .retryOnNewConnection
                case 422: .park(.keyReused)
                case 429, 503: .throttle
                case 400...499: .park(.refusedByEndpoint)
                default: .retry
                }
            #expect(ClassificationTable.rule(forStatus: status)?.action == expected, "status \(status)")
        }
        #expect(ClassificationTable.rule(forStatus: 100) == nil)
        #expect(ClassificationTable.rule(forStatus: 0) == nil)
    }
}
