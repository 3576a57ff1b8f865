package import DeliveryMachine
import SessionDomain

/// What every transport promises, as checks that name what broke. The server behind it answers 200 to everything.
package enum TransportConformance {
    package typealias Start = (_ number: Int, _ media: [UInt8]) throws -> TransferRequest

    /// - Parameters:
    ///   - makeTransport: a new transport.
    ///   - request: a request with the token of `Claims.hologram(number)` whose body holds the media.
    ///   - nowhere: the same to an address where nobody listens.
    /// - Returns: the promises that were broken; none for a conforming transport.
    package static func broken(
        _ makeTransport: () throws -> any Transport, request: Start, nowhere: Start
    ) throws -> [String] {
        var broken: [String] = []
        func check(_ holds: Bool, _ promise: String) { if !holds { broken.append(promise) } }

        let transport = try makeTransport()
        check(try transport.wait(milliseconds: 0).isEmpty, "nothing begun, nothing ends")
        check(transport.transfersUnderWay == 0, "nothing begun, nothing under way")
        transport.cancel(Claims.hologram(99).id)
        check(try transport.wait(milliseconds: 0).isEmpty, "cancelling what is not under way does nothing")

        var lengths: [DeliveryID: Int64] = [:]
        for number in 1...6 {
            let request = try request(number, [UInt8](repeating: UInt8(number), count: number * 40_000))
            lengths[request.token] = request.body?.contentLength
            try transport.start(request)
        }
        check(transport.transfersUnderWay == 6, "what was begun is under way")
        let results = try collect(6, from: transport)
        check(Set(results.map(\.token)).count == 6, "every transfer ends exactly once")
        check(results.allSatisfy { $0.curlCode == 0 && $0.status == 200 }, "a complete answer is code 0 with its status")
        check(results.allSatisfy { $0.bytesSent == lengths[$0.token] }, "the body's bytes are counted")
        check(results.allSatisfy { $0.finishedAtMilliseconds >= $0.startedAtMilliseconds }, "times do not run back")
        check(transport.transfersUnderWay == 0, "what ended is not under way")
        check(try transport.wait(milliseconds: 0).isEmpty, "a result is told once")

        try transport.start(try nowhere(7, [1, 2, 3]))
        let lost = try collect(1, from: transport)
        check(lost.first.map { $0.curlCode != 0 && $0.bytesSent == 0 } == true, "nobody there: a code, and no byte sent")
        check(
            lost.first.map {
                ClassificationTable.certainty(curlCode: $0.curlCode, status: $0.status, bytesSent: $0.bytesSent) == .notSent
            } == true, "nobody there: not sent")
        try transport.start(try request(7, [1, 2, 3]))
        check(try collect(1, from: transport).first?.status == 200, "a token can be used again once its transfer ended")
        return broken
    }

    private static func collect(_ count: Int, from transport: any Transport) throws -> [TransferResult] {
        var results: [TransferResult] = []
        for _ in 0..<100 where results.count < count { results += try transport.wait(milliseconds: 200) }
        return results
    }
}
