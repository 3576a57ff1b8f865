import DeliveryMachine
import Dispatch
import Glibc

/// Has the next megabyte of a large body read, opened and encoded on another thread while the one before it is sent.
///
/// It is read by the transport's thread alone, which waits where the other thread is not done: no longer than it would take to do it
/// itself. The body belongs to the other thread.
@safe final class ReadAhead: @unchecked Sendable {
    /// A smaller body is not worth a thread.
    static let leastBytes: Int64 = 4 << 20
    /// Where there is one processor there is nobody to do it.
    static let isWorthwhile = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private static let pieceBytes = 1 << 20
    /// With less room left a piece is full: the text of three chunks no longer fits.
    private static let leastRoom = 256 << 10

    private struct Piece {
        var start: Int64 = -1
        var bytes: [UInt8] = []
        /// What ended it early.
        var fault: DeliveryFault?

        var end: Int64 { start + Int64(bytes.count) }
    }

    private let body: RequestBody
    private let queue = DispatchQueue(label: "capture-ledger.ahead", qos: .userInitiated)
    private let filled = DispatchSemaphore(value: 0)
    private var current = Piece()
    /// The other thread's from `fill` until `filled` is signalled.
    private var next = Piece()
    private var isFilling = false

    init(_ body: RequestBody) { self.body = body }

    /// Copies bytes from `offset` on to `target`, at least one where there is room and the end was not reached, and returns how many.
    func read(at offset: Int64, into target: UnsafeMutableRawBufferPointer) throws(DeliveryFault) -> Int {
        if !(current.start..<current.end).contains(offset) { try turn(to: offset) }
        let start = Int(offset - current.start)
        let count = min(target.count, current.bytes.count - start)
        unsafe current.bytes.withUnsafeBytes { bytes in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
        return count
    }

    /// Makes the piece that begins at `offset` the current one, and has the one behind it read.
    private func turn(to offset: Int64) throws(DeliveryFault) {
        if isFilling { filled.wait() } else { next.start = -1 }
        isFilling = false
        // at the start, and when libcurl rewound
        if next.start != offset {
            fill(at: offset)
            filled.wait()
        }
        swap(&current, &next)
        if current.bytes.isEmpty, let fault = current.fault { throw fault }
        guard current.end < body.contentLength else { return }
        fill(at: current.end)
        isFilling = true
    }

    private func fill(at offset: Int64) {
        queue.async {
            self.read(from: offset)
            self.filled.signal()
        }
    }

    private func read(from offset: Int64) {
        next.start = offset
        next.fault = nil
        next.bytes.removeAll(keepingCapacity: true)
        let left = body.contentLength - offset
        guard left > 0 else { return }
        do throws(DeliveryFault) {
            try next.bytes.append(addingCapacity: Self.pieceBytes) { span throws(DeliveryFault) in
                repeat {
                    try body.read(at: offset + Int64(span.count), into: &span)
                } while Int64(span.count) < left && span.freeCapacity >= Self.leastRoom
            }
        } catch {
            next.fault = error
        }
    }
}
