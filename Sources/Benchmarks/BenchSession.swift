import CaptureLedger
import SessionDomain
import SystemCalls

/// What the benchmark's sessions keep private, so that the price of sealing can be told.
package enum PrivateHalves: String, Sendable, CaseIterable {
    case none
    /// The two captures, as the product itself does.
    case captures
    /// The captures and three interactions: five events of eight.
    case most
}

/// A user on the way through a session: a start, two captures that are confirmed, and three interactions. Eight commands of one
/// event each, which leave two deliveries behind. There is no media behind the captures.
struct BenchSession: Sendable {
    static let events = 8

    let id: SessionID
    private let privateHalves: PrivateHalves
    private var step = 0
    private var capture = CaptureID(UUID128(high: 0, low: 0))

    init(_ privateHalves: PrivateHalves, now: Int64) {
        id = SessionID(UUID128(milliseconds: now, random: SecureRandom.words()))
        self.privateHalves = privateHalves
    }

    var isOver: Bool { step == Self.events }

    mutating func next(now: Int64) -> LedgerCommand {
        defer { step += 1 }
        let command: (SessionCommand, [UInt8])
        switch step {
        case 0: return .start(Self.start, as: id)
        case 2: command = (capture(.passportFront, now), Self.captureBody)
        case 3: command = (.confirm(piece: .passportFront, captureID: capture), Self.confirmBody)
        case 6: command = (capture(.selfie, now), Self.captureBody)
        case 7: command = (.confirm(piece: .selfie, captureID: capture), Self.confirmBody)
        default: command = (.recordInteraction(interaction), Self.interactionBody)
        }
        return .command(
            CommandRequest(
                session: id, command: command.0, commandID: Ledger.freshCommandID(now), expectedVersion: Int64(step),
                body: command.1))
    }

    private var interaction: RecordInteraction {
        RecordInteraction(
            interaction: .reviewShown, piece: .passportFront, remindAtMilliseconds: nil,
            secret: privateHalves == .most ? Self.secret : nil)
    }

    private mutating func capture(_ piece: Piece, _ now: Int64) -> SessionCommand {
        capture = CaptureID(UUID128(milliseconds: now, random: SecureRandom.words()))
        return .capture(
            CapturePiece(
                piece: piece, captureID: capture, source: .camera, media: Self.media, commitment: Self.digest,
                sealedDigest: Self.digest, sealedBytes: 812_640, rotation: 0, measurements: [], fields: nil, confirm: false,
                secret: privateHalves == .none ? nil : Self.secret))
    }

    private static let start: StartRequest = {
        var configuration = CaptureConfiguration(
            pieces: [.passportFront, .selfie], flowTitle: "Benchmark", analyticsContext: "bench")
        configuration.checks = .off
        return StartRequest(configuration: configuration)
    }()
    private static let media = MediaFacts(
        type: "image/jpeg", bytes: 812_345, width: 3024, height: 4032, orientation: 1, flags: [])
    private static let digest = Digest256(
        words: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978, 0x8796_a5b4_c3d2_e1f0))
    private static let secret = JSONValue.members([.init("sha256", .string(String(repeating: "5a", count: 32)))]).canonicalBytes
    private static let captureBody = Ledger.body("capture", [.init("sha256", .string(String(repeating: "5a", count: 32)))])
    private static let confirmBody = Ledger.body("confirm", [])
    private static let interactionBody = Ledger.body("interaction", [.init("interaction", .string("review_shown"))])
}

/// Sessions side by side, a command of each in turn; one that is over makes room for the next.
struct BenchSessions: Sendable {
    private let privateHalves: PrivateHalves
    private var sessions: [BenchSession?]
    private var turn = 0

    init(_ privateHalves: PrivateHalves, sideBySide count: Int) {
        self.privateHalves = privateHalves
        sessions = Array(repeating: nil, count: count)
    }

    mutating func next(now: Int64) -> LedgerCommand {
        defer { turn = (turn + 1) % sessions.count }
        if sessions[turn]?.isOver ?? true { sessions[turn] = BenchSession(privateHalves, now: now) }
        return sessions[turn]!.next(now: now)
    }
}
