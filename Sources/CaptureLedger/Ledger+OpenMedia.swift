import EventCoding
import EventStorage
package import SessionDomain
import SystemCalls
import Vault

/// An original that is being opened, a chunk at a time.
package final class OpenedMedia {
    package let session: SessionID
    package let byteCount: Int64
    private let reader: SealedReader

    init(session: SessionID, reader: SealedReader) {
        self.session = session
        self.reader = reader
        byteCount = reader.byteCount
    }

    /// - Parameter limit: bytes at most.
    package func read(at offset: Int64, limit: Int) throws(LedgerError) -> ArraySlice<UInt8> {
        try unlocked { () throws(VaultError) in try reader.read(at: offset, limit: limit) }
    }
}

extension Ledger {
    /// Opens a capture's original for a person. That it was opened is on the disk before the first byte can be read.
    ///
    /// - Throws: `no_such_capture`; `media_gone` after it was destroyed; the refusals of an erased session.
    package func openMedia(_ capture: CaptureID) throws(LedgerError) -> OpenedMedia {
        guard let event = try captured(capture) else { throw .noCapture }
        return try openMedia(capture, of: event.session)
    }

    /// Opens the page crop that was made of a capture which passed its checks (S53); on record as an original is.
    ///
    /// - Throws: `no_such_capture` also for one that has no crop; as ``openMedia(_:)``.
    package func openCrop(_ capture: CaptureID) throws(LedgerError) -> OpenedMedia {
        guard let event = try captured(capture), let crop = try crop(of: capture, in: event.session) else {
            throw LedgerError(
                code: .init(rawValue: "no_such_capture"), message: "This ledger has no page crop of a capture with that id.",
                remedy: "Copy the id from session show, which lists the crop of each piece that has one.")
        }
        return try openMedia(CaptureID(crop.id.uuid), of: event.session, recordedAs: capture)
    }

    private func crop(of capture: CaptureID, in session: SessionID) throws(LedgerError) -> PageCrop? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return nil }
                return try context.events.events(ofSession: row.number).first {
                    $0.encoded.captureID == capture.uuid && $0.encoded.pageCrop != nil
                }?.encoded.pageCrop
            }
        }
    }

    /// The same for a capture whose session is known.
    ///
    /// - Parameter original: whose media it is, where a crop of it is opened.
    func openMedia(
        _ capture: CaptureID, of session: SessionID, recordedAs original: CaptureID? = nil
    ) throws(LedgerError) -> OpenedMedia {
        let key = try sessionKey(session)
        guard try holdsMedia(of: capture) else {
            throw LedgerError(
                code: .init(rawValue: "media_gone"),
                message: "The \(original == nil ? "original" : "page crop") of this capture no longer exists.",
                remedy: "The session's timeline says when and why it was destroyed.")
        }
        let keys = try keys
        let reader = try unlocked { () throws(VaultError) in try keys.read(.media, ObjectID(capture.uuid), key: key) }
        try recordAccess(
            original == nil ? "media_opened" : "crop_opened", session,
            [.init("capture_id", .string((original ?? capture).text))])
        return OpenedMedia(session: session, reader: reader)
    }

    /// The event that took a capture in. Its id says when it was made, so that little of the log is read, unless the clock was set back then.
    func captured(_ capture: CaptureID) throws(LedgerError) -> EventView? {
        let made = Int64(capture.uuid.high >> 16)
        let earlier = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.lastPosition(recordedBefore: made) }
        }
        if let found = try captured(capture, after: earlier, through: .max) { return found }
        return try captured(capture, after: 0, through: earlier)
    }

    private func captured(
        _ capture: CaptureID, after start: Int64, through last: Int64
    ) throws(LedgerError) -> EventView? {
        var filter = ReplayFilter()
        filter.types = [EventType.pieceCaptured.code]
        filter.through = last
        var (found, position): (EventView?, Int64) = (nil, start)
        while found == nil {
            let step = try scan(filter, after: position, limit: 2_000) { row in
                if row.captureID == capture.uuid { found = found ?? EventView(row) }
            }
            if step.isEnd { break }
            position = step.position
        }
        return found
    }
}

extension LedgerError {
    static let noCapture = LedgerError(
        code: .init(rawValue: "no_such_capture"), message: "This ledger has no capture with that id.",
        remedy: "Copy it from session show or timeline.")
}
