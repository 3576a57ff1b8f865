import DeliveryMachine
import SessionDomain
import Testing

@testable import CaptureLedger

/// What is remembered about a destination, through the queue and in another process's eyes.
@Suite struct DestinationStateTests {
    private let verifier = DestinationName("verifier")

    @Test func `a breaker is kept across runs, with how often it opened, and closes`() throws {
        let temporary = try TemporaryLedger()
        let queue = LedgerDeliveryQueue(temporary.ledger)
        #expect(try queue.state(of: verifier) == DestinationState())
        try queue.apply([.breaker(Breaker(untilMilliseconds: 1_790_000_060_000, openings: 3))], to: verifier)
        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        let another = LedgerDeliveryQueue(reopened)
        #expect(try another.state(of: verifier).breaker == Breaker(untilMilliseconds: 1_790_000_060_000, openings: 3))
        #expect(try another.state(of: DestinationName("hologram")).breaker == nil)
        try another.apply([.breaker(nil)], to: verifier)
        #expect(try queue.state(of: verifier).breaker == nil)
    }

    @Test func `one change leaves the others alone, in every order`() throws {
        let changes: [DestinationChange] = [
            .pause(
                DestinationPause(
                    reason: .unauthorized, sinceMilliseconds: 1, probeAtMilliseconds: 2, credentialFingerprint: "aa")),
            .failuresInARow(4), .breaker(Breaker(untilMilliseconds: 5, openings: 6)), .lastDeliveredAt(milliseconds: 7),
            .contractBreakWitness(DeliveryID(Identifiers.fresh(atMilliseconds: 8))),
        ]
        let temporary = try TemporaryLedger()
        let queue = LedgerDeliveryQueue(temporary.ledger)
        for (number, order) in permutations(Array(changes.indices)).enumerated() where number.isMultiple(of: 7) {
            let name = DestinationName("number-\(number)")
            var expected = DestinationState()
            for index in order {
                try queue.apply([changes[index]], to: name)
                expected.apply(changes[index])
            }
            #expect(try queue.state(of: name) == expected)
        }
    }

    @Test func `the machine neither replaces nor lifts a pause that a person set`() throws {
        let temporary = try TemporaryLedger()
        let queue = LedgerDeliveryQueue(temporary.ledger)
        try temporary.ledger.pause(destination: "verifier")
        let byPerson = try #require(try queue.state(of: verifier).pause)
        try queue.apply(
            [.pause(DestinationPause(reason: .unauthorized, sinceMilliseconds: 1, probeAtMilliseconds: 2)), .resume],
            to: verifier)
        #expect(try queue.state(of: verifier).pause == byPerson)
        try temporary.ledger.resume(destination: "verifier")
        #expect(try queue.state(of: verifier).pause == nil)
    }
}

func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
