package import DeliveryMachine
package import SessionDomain

/// Originals in memory, or patterned ones of any size that need none.
package final class MemoryMedia: MediaSource {
    package enum Original {
        case bytes([UInt8])
        case pattern(count: Int64)
        case fault(DeliveryFault)
    }

    package var originals: [CaptureID: Original] = [:]
    package private(set) var opened = 0

    package init() {}

    package func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader {
        opened += 1
        switch originals[capture] {
        case .bytes(let bytes): return BytesReader(bytes)
        case .pattern(let count): return PatternReader(byteCount: count)
        case .fault(let fault): throw fault
        case nil: throw DeliveryFault(.mediaUnreadable, message: "No such capture.", remedy: "Add it to the test.")
        }
    }
}

package final class BytesReader: MediaReader {
    private let bytes: [UInt8]
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package var byteCount: Int64 { Int64(bytes.count) }

    package func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        bytes.dropFirst(Int(offset)).prefix(limit)
    }

    package func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        output.append(try read(at: offset, limit: output.freeCapacity))
    }
}

/// Every byte is known from its offset. Chunks end where the vault's do.
package final class PatternReader: MediaReader {
    package let byteCount: Int64
    private static let period: [UInt8] = (0..<(64 << 10) + 251).map { UInt8(truncatingIfNeeded: $0 % 251) }
    package init(byteCount: Int64) { self.byteCount = byteCount }

    package static func byte(at offset: Int64) -> UInt8 { UInt8(offset % 251) }

    package func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        let toChunkEnd = (64 << 10) - offset % (64 << 10)
        let count = Int(max(0, min(Int64(limit), toChunkEnd, byteCount - offset)))
        return Self.period[Int(offset % 251)...].prefix(count)
    }

    package func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        var offset = offset
        while output.freeCapacity > 0, offset < byteCount {
            let bytes = try read(at: offset, limit: output.freeCapacity)
            output.append(bytes)
            offset += Int64(bytes.count)
        }
    }
}

extension OutputSpan<UInt8> {
    /// At once: a byte at a time takes milliseconds in a debug build, and what a peer does meanwhile changes what is seen of it.
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            _ = unsafe buffer[count...].update(fromContentsOf: bytes)
            count += bytes.count
        }
    }
}

/// Keeps every answer that it is given.
package final class MemoryEvidence: EvidenceSink {
    package private(set) var answers: [(DeliveryID, TransferResult)] = []
    package var fault: DeliveryFault?
    package init() {}

    package func archive(_ ended: [EndedClaim]) -> [Result<EvidenceReference, DeliveryFault>] {
        ended.map { answer in
            if let fault { return .failure(fault) }
            answers.append((answer.claim.id, answer.result))
            return .success(
                EvidenceReference(id: "evidence-\(answers.count)", sha256: [UInt8](repeating: 0, count: 32)))
        }
    }
}
