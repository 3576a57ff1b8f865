package import SessionDomain

/// Port: opens the originals that are to be sent.
package protocol MediaSource: AnyObject {
    /// - Throws: `media_unreadable` when the sealed file is missing, truncated or altered; `media_gone` when an event says
    ///   why it is no longer there.
    func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader
}

/// One original, opened a chunk at a time. Memory does not grow with it.
package protocol MediaReader: AnyObject {
    /// Exact size of the plain bytes.
    var byteCount: Int64 { get }

    /// At least one byte and at most `limit` from `offset`; none at the end. Any offset may follow any other: a transfer
    /// that starts again rewinds.
    ///
    /// - Throws: `media_unreadable` when a chunk does not open.
    func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8>

    /// Appends bytes from `offset` on: at least one where there is room and the end was not reached. Some room may stay free.
    func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault)

    /// Appends the Base64 text of the bytes from `offset` on, which is a multiple of three: at least four characters where there
    /// is room and the end was not reached, and no part of a group.
    func readBase64(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault)
}

extension MediaReader {
    package func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        for byte in try read(at: offset, limit: output.freeCapacity) { output.append(byte) }
    }

    package func readBase64(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(DeliveryFault) {
        let count = Int(min(Int64(min(output.freeCapacity, 64 << 10) / 4 * 3), byteCount - offset))
        guard count > 0 else { return }
        for unit in Base64Text.of(try whole(at: offset, count: count)) { output.append(unit) }
    }

    func whole(at offset: Int64, count: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
        var bytes = try read(at: offset, limit: count)
        while bytes.count < count {
            let more = try read(at: offset + Int64(bytes.count), limit: count - bytes.count)
            if more.isEmpty { throw RequestBody.lengthDiffers }
            bytes += more
        }
        return bytes
    }
}
