import MediaChecks
import SessionDomain
import Synchronization

/// A video made of one grey level a frame; it counts what is asked of it.
final class ScriptedVideo: OpenVideo {
    let width = 64
    let height = 48
    var durationMilliseconds: Int64?
    /// Between two frames.
    let step: Int64
    let count: Int
    var breaksAt: Int?
    private(set) var asked: [Int64] = []
    private(set) var returned = 0
    private var next = 0

    init(frames: Int, step: Int64 = 40) {
        count = frames
        self.step = step
        durationMilliseconds = Int64(frames) * step
    }

    func frame(atMilliseconds time: Int64, _ fit: PixelFit) throws(DecodingRefusal) -> VideoFrame? {
        asked.append(time)
        next = max(next, Int((time + step - 1) / step))
        if let breaksAt, next >= breaksAt {
            throw DecodingRefusal(.truncated, message: "The video ends early.", remedy: "Record it again.")
        }
        guard next < count else { return nil }
        defer { next += 1 }
        returned += 1
        let (width, height) =
            switch fit {
            case .letterbox(let side): (side, side)
            case .stretch(let width, let height): (width, height)
            case .within: (64, 48)
            }
        let image = RGBImage(
            width: width, height: height, bytes: Array(repeating: UInt8(next % 200), count: 3 * width * height))
        return VideoFrame(timeMilliseconds: Int64(next) * step, image: image)
    }

    func close() {}
}

/// A detector of cards that says in its nth call what the script says for it.
final class ScriptedDetector: ModelSupply {
    enum Seen { case nothing, card, cardAndPhoto, page }

    private let script: @Sendable (Int) -> Seen
    private let counter = Mutex(0)
    var calls: Int { counter.withLock { $0 } }
    let isInstalled: Bool

    init(isInstalled: Bool = true, _ script: @escaping @Sendable (Int) -> Seen) {
        self.script = script
        self.isInstalled = isInstalled
    }

    func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? {
        guard isInstalled, role == .passportDetector else { return nil }
        return ModelDescriptor(
            inputWidth: 64, inputHeight: 64, scale: 1 / 255, offset: 0,
            classNames: ["page", "photo", "signature", "mrz", "finger", "other_document"], boxesAreNormalized: true,
            digest: String(repeating: "ab", count: 32), licence: "Apache-2.0")
    }

    /// `[1, 10, 12]`: twelve anchors of a box and six classes.
    func run(_ role: ModelRole, _ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        let call = counter.withLock { counter in
            defer { counter += 1 }
            return counter
        }
        var values = [Float](repeating: 0, count: 120)
        func put(_ anchor: Int, _ box: [Float], _ row: Int) {
            for (index, value) in box.enumerated() { values[index * 12 + anchor] = value }
            values[(4 + row) * 12 + anchor] = 0.9
        }
        switch script(call) {
        case .nothing: break
        case .cardAndPhoto:
            put(1, [0.35, 0.5, 0.2, 0.3], 1)
            fallthrough
        case .card: put(0, [0.5, 0.5, 0.8, 0.6], 5)
        case .page: put(0, [0.5, 0.5, 0.8, 0.6], 0)
        }
        return [FloatTensor(shape: [1, 10, 12], values: values)]
    }
}
