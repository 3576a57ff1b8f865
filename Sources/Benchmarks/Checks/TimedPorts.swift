import MediaChecks
import SessionDomain
import Synchronization
import SystemCalls

/// Counts the nanoseconds that a pipeline spends behind its ports.
final class PortTime: Sendable {
    private let spent = Atomic<UInt64>(0)

    var nanoseconds: UInt64 { spent.load(ordering: .relaxed) }

    func measure<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let began = SystemClock.monotonicNanoseconds()
        defer { spent.wrappingAdd(UInt64(SystemClock.monotonicNanoseconds() - began), ordering: .relaxed) }
        return try body()
    }
}

/// Models whose calls are timed.
struct TimedModels: ModelSupply {
    let models: any ModelSupply
    let time: PortTime

    func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? { try models.descriptor(role) }

    func run(_ role: ModelRole, _ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        try time.measure { () throws(ModelFault) in try models.run(role, input, outputs: outputs) }
    }
}

/// A picture whose decoder is timed.
final class TimedPicture: OpenPicture {
    private let picture: any OpenPicture
    private let time: PortTime

    init(_ picture: any OpenPicture, _ time: PortTime) { (self.picture, self.time) = (picture, time) }

    var width: Int { picture.width }
    var height: Int { picture.height }

    func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal) -> RGBImage {
        try time.measure { () throws(DecodingRefusal) in try picture.pixels(region, fit) }
    }

    func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8] {
        try time.measure { () throws(DecodingRefusal) in try picture.jpeg(region, longestSide: longestSide) }
    }

    func close() { picture.close() }
}
