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
        guard let event = try captured(capture) else {
            throw LedgerError(
                code: .init(rawValue: "no_such_capture"), message: "This ledger has no capture with that id.",
                remedy: "Copy it from session show or timeline.")
        }
        return try openMedia(capture, of: event.session)
    }

    /// The same for a capture whose session is known.
    func openMedia(_ capture: CaptureID, of session: SessionID) throws(LedgerError) -> OpenedMedia {
        let key = try sessionKey(session)
        guard try holdsMedia(of: capture) else {
            throw LedgerError(
                code: .init(rawValue: "media_gone"), message: "The original of this capture no longer exists.",
                remedy: "The session's timeline says when and why it was destroyed.")
        }
        let keys = try keys
        let reader = try unlocked { () throws(VaultError) in try keys.read(.media, ObjectID(capture.uuid), key: key) }
        try recordOpening(of: capture, session)
        return OpenedMedia(session: session, reader: reader)
    }

    private func captured(_ capture: CaptureID) throws(LedgerError) -> EventView? {
        var position: Int64 = 0
        while true {
            let page = try events(after: position)
            guard let last = page.last else { return nil }
            if let event = page.first(where: { $0.captureID == capture && $0.type == "piece_captured" }) { return event }
            position = last.position
        }
    }

    /// One JSON object a line; it names no person.
    private func recordOpening(of capture: CaptureID, _ session: SessionID) throws(LedgerError) {
        let line = JSONValue.members([
            .init("at_ms", .integer(clock.nowMilliseconds())), .init("capture_id", .string(capture.text)),
            .init("session_id", .string(session.text)), .init("what", .string("media_opened")),
        ]).canonical
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: files.folder)
            let path = files.folder + "/access.jsonl"
            let isNew = try FileStatus.of(path) == nil
            if isNew {
                let made = try FileDescriptor(opening: path, .writeOrCreate, mode: access.fileMode)
                try access.apply(to: made, mode: access.fileMode)
            }
            let file = try FileDescriptor(opening: path, .append)
            try file.write(Array((line + "\n").utf8))
            try file.synchronize()
            if isNew { try FileSystem.synchronizeFolder(files.folder) }
        }
    }
}
