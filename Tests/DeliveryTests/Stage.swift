import DeliveryMachine
import SessionDomain
import Sync
import TestSupport

/// A worker over scripted answers, in memory.
final class Stage {
    var queue = MemoryQueue()
    let media = MemoryMedia()
    let evidence = MemoryEvidence()
    var destination = Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit")
    var others: [Destination] = []
    var now: Int64 = 1_800_000_000_000
    var stop = StopRequest.none
    /// Something became due; taken back when the run has heard it.
    var news = false
    var authority: any RequestAuthority = FixedAuthority()
    var aside: (any Aside)?
    var events: [SyncEvent] = []
    var server: (ScriptedTransport.Sent) -> ScriptedTransport.Reply
    lazy var transport = ScriptedTransport(now: { self.now }, idle: { self.now += Int64($0) }, server: { self.server($0) })

    init(_ server: @escaping (ScriptedTransport.Sent) -> ScriptedTransport.Reply = { Stage.yes($0) }) {
        self.server = server
    }

    static func capture(_ sent: ScriptedTransport.Sent) -> String {
        let text = String(decoding: sent.body, as: UTF8.self)
        let start = text.utf8.firstRange(of: #""capture_id":""#.utf8)!.upperBound
        return String(text[start...].prefix(36))
    }

    static func yes(_ sent: ScriptedTransport.Sent) -> ScriptedTransport.Reply {
        .answer(200, #"{"outcome":"verified","capture_id":"\#(capture(sent))"}"#)
    }

    func add(_ number: Int, session: Int = 1, isStrict: Bool = false) {
        let claim = Claims.verifier(number, session: session)
        media.originals[claim.capture] = .bytes(Array("hello".utf8))
        queue.add(claim, isStrict: isStrict)
    }

    func item(_ number: Int) -> MemoryQueue.Item { queue.item(Claims.verifier(number).id) }

    func run() throws -> SyncReport { try run { _ in } }

    func run(_ change: (inout SyncOptions) -> Void) throws -> SyncReport {
        var options = SyncOptions()
        change(&options)
        return try byHand(options).run()
    }

    /// One that is driven by hand.
    func byHand(_ options: SyncOptions = SyncOptions()) -> SyncRun {
        let clock = SyncClock(
            nowMilliseconds: { [box = Unchecked(value: self)] in box.value.now },
            steadyMilliseconds: { [box = Unchecked(value: self)] in box.value.now })
        return SyncRun(
            queue: queue, transport: transport, media: media, evidence: evidence, destinations: [destination] + others,
            authority: authority, options: options, clock: clock,
            random: SeededGenerator(seed: UInt64(transport.sent.count)), aside: aside, stop: { self.stop },
            news: {
                defer { self.news = false }
                return self.news
            },
            observe: { self.events.append($0) })
    }

    private struct Unchecked: @unchecked Sendable { let value: Stage }

    var order: [Int] { transport.sent.map { Int(UInt64($0.request.token.uuid.low & 0xFFFF)) } }
}
