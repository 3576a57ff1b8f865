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
}
