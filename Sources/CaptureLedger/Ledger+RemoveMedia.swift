import EventCoding
import EventStorage
import SessionDomain
import Vault

extension Ledger {
    /// Destroys a capture's original and what was made of it.
    func removeMedia(of capture: CaptureID, in session: SessionID) throws(LedgerError) {
        let keys = try keys
        let crops = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var crops: [ObjectID] = []
                guard let row = try context.events.session(session) else { return crops }
                for event in try context.events.events(ofSession: row.number) where event.encoded.captureID == capture.uuid {
                    if let crop = event.encoded.pageCrop { crops.append(ObjectID(crop.id.uuid)) }
                }
                return crops
            }
        }
        try unlocked { () throws(VaultError) in
            for id in [ObjectID(capture.uuid)] + crops { _ = try keys.remove(.media, id) }
        }
    }

    /// Removes the files of originals whose destruction is on record, and forgets that they were still to be removed.
    func destroy(_ captures: [MediaDestruction]) throws(LedgerError) {
        if captures.isEmpty { return }
        for one in captures { try removeMedia(of: one.capture, in: one.session) }
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in try context.writer.deleteMediaDestructions(captures.map(\.capture)) }
            return .success(())
        }
    }

    /// Finishes what a crash left between an event that says that an original is destroyed and the end of its file.
    func finishDestructions() throws(LedgerError) {
        while true {
            let left = try read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.events.mediaDestructions(limit: 256) }
            }
            if left.isEmpty { return }
            try destroy(left)
        }
    }
}
