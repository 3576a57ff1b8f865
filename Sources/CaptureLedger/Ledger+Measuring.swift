package import SessionDomain
import SystemCalls
import Vault

/// What the measurements need that make up a ledger's past.
extension Ledger {
    /// Runs under the lock of all writers of all processes.
    package func withWriterLock(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
        let hold = try called { () throws(SystemError) in try lock.acquire() }
        try body()
        _ = consume hold
    }

    /// Makes keys for sessions, as starting them would. Under the writer lock.
    package func mintKeys(through number: Int64) throws(LedgerError) {
        let vault = try keys
        try unlocked { () throws(VaultError) in try vault.ensureMinted(through: number) }
    }

    /// The id of a capture's delivery to a destination.
    package static func deliveryID(_ session: SessionID, _ capture: CaptureID, _ destination: String) -> DeliveryID {
        Identifiers.delivery(session, capture, destination)
    }
}
