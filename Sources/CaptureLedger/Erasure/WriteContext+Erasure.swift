import EventStorage
import SessionDomain

extension WriteContext {
    /// What a session in its undo window refuses: everything but its erasure and the answers to what was under way, which have to be on
    /// record, so that it is known who holds what.
    func refusal(whileErasing number: Int64, _ command: SessionCommand) -> LedgerError? {
        guard !erasureRequests.isEmpty, erasureRequests[number] != nil else { return nil }
        return switch command {
        case .erase, .applyAnswer, .parkDelivery, .purgeMedia: nil
        default: .erasureRequested
        }
    }

    func remember(_ request: ErasureRequest) throws(LedgerError) {
        try translated { () throws(StorageError) in try writer.insert(request) }
        erasureRequests[request.sessionNumber] = request
    }

    func postponeErasures(until time: Int64) throws(LedgerError) {
        try translated { () throws(StorageError) in try writer.postponeErasureRequests(until: time) }
        knowsErasures = false
    }

    func forgetErasureRequest(of number: Int64) throws(LedgerError) {
        guard erasureRequests.removeValue(forKey: number) != nil else { return }
        try translated { () throws(StorageError) in try writer.deleteErasureRequest(session: number) }
    }
}
