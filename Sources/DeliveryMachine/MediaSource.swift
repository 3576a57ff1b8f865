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
}
