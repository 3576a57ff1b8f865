import DeliveryMachine
import SessionDomain

/// Originals as they are, with a count of the bytes that were taken out for the first time.
final class CountedMedia: MediaSource {
    private let base: any MediaSource
    private let count: (Int) -> Void

    init(_ base: any MediaSource, _ count: @escaping (Int) -> Void) {
        self.base = base
        self.count = count
    }

    func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader {
        CountedReader(try base.open(capture), count)
    }
}

private final class CountedReader: MediaReader {
    private let base: any MediaReader
    private let count: (Int) -> Void
    /// A transfer that starts again reads what was counted already.
    private var reached: Int64 = 0

    init(_ base: any MediaReader, _ count: @escaping (Int) -> Void) {
        self.base = base
        self.count = count
    }

    var byteCount: Int64 { base.byteCount }

    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        let bytes = try base.read(at: offset, limit: limit)
        reach(offset + Int64(bytes.count))
        return bytes
    }

    func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        let before = output.count
        try base.read(at: offset, into: &output)
        reach(offset + Int64(output.count - before))
    }

    func readBase64(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        let before = output.count
        try base.readBase64(at: offset, into: &output)
        reach(min(byteCount, offset + Int64(output.count - before) / 4 * 3))
    }

    private func reach(_ end: Int64) {
        guard end > reached else { return }
        count(Int(end - reached))
        reached = end
    }
}
