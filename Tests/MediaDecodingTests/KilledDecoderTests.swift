import Glibc
import MediaChecks
import MediaDecoding
import SystemCalls
import Testing

/// The real decoder, struck while it holds a picture.
@Suite(.serialized) struct KilledDecoderTests {
    private func afterSignal(_ number: Int32) throws -> (DecodingRefusal?, again: DecodingRefusal?, milliseconds: Int64) {
        let client = DecoderClient(
            program: decoder.program, limits: DecodingLimits(pictureMilliseconds: 5_000), keepsSpare: false)
        let before = try Belongings.now()
        let picture = try open(try Fixture.bytes("selfie.jpg"), with: client)
        let child = try #require(try Belongings.now().children.subtracting(before.children).first)
        #expect(kill(child, number) == 0)
        let began = SystemClock.monotonicNanoseconds()
        var refusals: [DecodingRefusal?] = []
        for _ in 0..<2 {
            do throws(DecodingRefusal) {
                _ = try picture.pixels(nil, .letterbox(side: 64))
                refusals.append(nil)
            } catch { refusals.append(error) }
        }
        let took = (SystemClock.monotonicNanoseconds() - began) / 1_000_000
        let after = try Belongings.now()
        #expect(!after.children.contains(child), "it was not waited for")
        picture.close()
        #expect(try Belongings.now().descriptors <= before.descriptors)
        // Others are as they were.
        #expect(try open(try Fixture.bytes("selfie.jpg"), with: client).pixels(nil, .letterbox(side: 64)).width == 64)
        return (refusals[0], refusals[1], took)
    }

    @Test(arguments: [(SIGKILL, DecodingRefusal.Cause.limits), (SIGSEGV, .crashed), (SIGABRT, .crashed), (SIGSTOP, .limits)])
    func `a decoder that is struck refuses its own picture and no other`(number: Int32, cause: DecodingRefusal.Cause) throws {
        let (refusal, again, milliseconds) = try afterSignal(number)
        #expect(refusal?.cause == cause, "\(String(describing: refusal))")
        #expect(again == refusal)
        #expect(milliseconds < 20_000)
    }

    @Test func `a spare that died while it waited costs nobody a capture`() throws {
        let before = try Belongings.now()
        let client = DecoderClient(program: decoder.program)
        client.warmUp()
        let spare = try #require(try Belongings.now().children.subtracting(before.children).first)
        #expect(kill(spare, SIGKILL) == 0)
        #expect(try open(try Fixture.bytes("selfie.jpg"), with: client).width == 384)
    }

    @Test func `a spare serves one picture and another takes its place`() throws {
        let before = try Belongings.now()
        let client = DecoderClient(program: decoder.program)
        client.warmUp()
        let first = try Belongings.now().children.subtracting(before.children)
        let picture = try open(try Fixture.bytes("selfie.jpg"), with: client)
        #expect(try Belongings.now().children.subtracting(before.children) == first)
        picture.close()
        let second = try Belongings.now().children.subtracting(before.children)
        #expect(second.count == 1 && second.isDisjoint(with: first))
    }

    @Test func `pictures are decoded at the same time, no more than there are places`() async throws {
        let before = try Belongings.now()
        let client = DecoderClient(program: decoder.program, limits: DecodingLimits(processes: 2), keepsSpare: false)
        let bytes = try Fixture.bytes("selfie.jpg")
        let images = try await withThrowingTaskGroup(of: RGBImage.self) { group in
            for _ in 0..<6 { group.addTask { try open(bytes, with: client).pixels(nil, .letterbox(side: 64)) } }
            return try await group.reduce(into: Set<RGBImage>()) { $0.insert($1) }
        }
        #expect(images.count == 1)
        #expect(try Belongings.now().children.isSubset(of: before.children))
    }

    @Test func `who waits too long for a place is told that nothing is said about the capture`() throws {
        let limits = DecodingLimits(pictureMilliseconds: 3_000, startMilliseconds: 3_000, processes: 1)
        let client = DecoderClient(program: decoder.program, limits: limits, keepsSpare: false)
        let bytes = try Fixture.bytes("selfie.jpg")
        let first = try open(bytes, with: client)
        let refusal = #expect(throws: DecodingRefusal.self) { _ = try open(bytes, with: client) }
        #expect(refusal?.cause == .unavailable && refusal?.detail == "busy")
        first.close()
        #expect(try open(bytes, with: client).width == 384)
    }

    @Test func `a client that goes away takes its spare with it`() throws {
        let before = try Belongings.now()
        do {
            let client = DecoderClient(program: decoder.program)
            client.warmUp()
            #expect(try Belongings.now().children.count == before.children.count + 1)
        }
        let after = try Belongings.now()
        #expect(after.children.isSubset(of: before.children) && after.descriptors <= before.descriptors)
    }

    @Test func `a stopped decoder does not outlive its client`() throws {
        let python = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "\(ScriptedProgram.scripts)/orphan.py", decoder.program.path],
            limitMilliseconds: 30_000, outputLimit: 1000)
        let answer = String(decoding: python.output, as: UTF8.self)
        // the script waits five seconds for its end
        #expect(Int(answer.filter(\.isNumber)) != nil, "\(answer)")
    }
}
