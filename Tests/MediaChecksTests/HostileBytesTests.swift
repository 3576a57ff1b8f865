import FoundationEssentials
import MediaChecks
import SessionDomain
import Testing

/// Whatever the bytes, there is an answer: facts or a typed refusal, never a trap and never a long wait.
@Suite struct HostileBytesTests {
    private static let longest = Duration.seconds(5)

    private static func piece(_ name: String) -> Piece {
        name.hasSuffix(".mp4") || name.hasSuffix(".mov") ? .hologram : .passportFront
    }

    private static func samples() throws -> [(name: String, bytes: [UInt8])] {
        var found: [(String, [UInt8])] = []
        for folder in ["orientation", "jpeg", "formats", "documents", "damaged", "videos"] {
            for name in try Fixture.names(folder) {
                let bytes = try Fixture.bytes(name)
                if bytes.count < 100_000 { found.append((name, bytes)) }
            }
        }
        return found
    }

    private static func judge(_ bytes: [UInt8], _ name: String, _ what: @autoclosure () -> String) {
        let start = ContinuousClock.now
        let verdict = Verdict.of(bytes, for: piece(name))
        let elapsed = ContinuousClock.now - start
        #expect(elapsed < longest, "\(name) \(what())")
        if let media = verdict.media {
            #expect(media.width > 0 && media.height > 0 && (1...8).contains(media.orientation), "\(name) \(what())")
        }
    }

    @Test func `every prefix of a short file has an answer`() throws {
        for (name, bytes) in try Self.samples() where bytes.count <= 2_000 {
            for length in 0..<bytes.count { Self.judge(Array(bytes.prefix(length)), name, "prefix \(length)") }
        }
    }

    @Test func `every header prefix, some others and every prefix near the end of a longer file have an answer`() throws {
        for (name, bytes) in try Self.samples() where bytes.count > 2_000 {
            let lengths =
                Array(0..<700) + Array(stride(from: 700, to: bytes.count - 40, by: max(97, bytes.count / 40)))
                + Array(bytes.count - 40..<bytes.count)
            for length in lengths { Self.judge(Array(bytes.prefix(length)), name, "prefix \(length)") }
        }
    }

    @Test func `2,000 files with flipped bits have an answer`() throws {
        var numbers = SeededNumbers.fromEnvironment()
        print("HostileBytesTests seed \(numbers.seed) (CAPTURE_LEDGER_SEED)")
        let samples = try Self.samples()
        for round in 0..<2_000 {
            let (name, original) = samples[round % samples.count]
            var bytes = original
            // Half of the flips go to the first kilobyte, where the headers are.
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let end = Bool.random(using: &numbers) ? min(1024, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<end, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            }
            Self.judge(bytes, name, "round \(round), seed \(numbers.seed)")
        }
    }

    @Test func `noise behind every known beginning has an answer`() throws {
        var numbers = SeededNumbers.fromEnvironment()
        for (name, original) in try Self.samples() {
            for _ in 0..<10 {
                let kept = Int.random(in: 4...min(64, original.count), using: &numbers)
                let noise = (0..<1500).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
                Self.judge(original.prefix(kept) + noise, name, "noise after \(kept), seed \(numbers.seed)")
            }
        }
    }

    @Test func `F23 extents without a size do not multiply the work`() {
        var bytes = HEICBuilder.picture(width: 40, height: 20, [])
        // 4,000 items of 65,535 extents each, in 24 KB.
        let items = [UInt8](repeating: 0, count: 4_000 * 6).enumerated().map { $0.offset % 6 >= 4 ? 0xFF : $0.element }
        let location = HEICBuilder.box("iloc", [0, 0, 0, 0, 0, 0, 0x0F, 0xA0] + items)
        let start = bytes.lastOffset(of: "iloc").map { $0 - 4 } ?? 0
        bytes.replaceSubrange(start..<start + 30, with: location)
        let added = location.count - 30
        let meta = bytes.lastOffset(of: "meta").map { $0 - 4 } ?? 0
        let old = bytes[meta..<meta + 4].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(meta..<meta + 4, with: HEICBuilder.big(UInt32(old + added)))
        #expect(Verdict.of(bytes).refusal == "media_unreadable(heic_locations)")
    }
}

/// SplitMix64, so that a failing run can be repeated.
struct SeededNumbers: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    static func fromEnvironment() -> SeededNumbers {
        SeededNumbers(
            seed: ProcessInfo.processInfo.environment["CAPTURE_LEDGER_SEED"].flatMap(UInt64.init)
                ?? UInt64.random(in: 0...999_999))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
