package import CaptureLedger
import Cryptography

extension Ledger {
    /// Signs what the log is now and gives it to the witness of the settings, from a thread that may block. A witness that fails
    /// costs nothing but its signature: the next call tries again.
    ///
    /// - Parameter isOver: asked several times a second; the witness is not waited for any longer once that is so.
    /// - Returns: nil where the settings name no witness.
    package func sendCheckpoint(isOver: @escaping () -> Bool = { false }) -> WitnessOutcome? {
        guard let destination = witness() else { return nil }
        let made: MadeCheckpoint
        let standing: WitnessStanding
        do throws(LedgerError) {
            made = try makeCheckpoint()
            guard let found = try witnessStanding() else { return nil }
            standing = found
        } catch {
            // nothing to sign is nothing to witness
            let isEmpty = error.code.rawValue == "no_events"
            return WitnessOutcome(
                url: destination.url, treeSize: 0, oldSize: 0, failure: isEmpty ? nil : error, cosignature: nil,
                isVerified: nil, wasSent: false)
        }
        // one whose signature is not kept, or is another's, is asked for it again
        if standing.treeSize == made.treeSize, standing.isVerified ?? true {
            return WitnessOutcome(
                url: destination.url, treeSize: made.treeSize, oldSize: standing.treeSize, failure: nil,
                cosignature: standing.cosignature, isVerified: standing.isVerified, wasSent: false)
        }
        var old = standing.treeSize
        do throws(LedgerError) {
            let lines = try send(made, WitnessClient(destination: destination, ledger: self, isOver: isOver), old: &old)
            try checkCosignature(lines, on: made)
            try noteWitnessed(treeSize: made.treeSize, cosignature: lines.isEmpty ? nil : lines)
            return WitnessOutcome(
                url: destination.url, treeSize: made.treeSize, oldSize: old, failure: nil,
                cosignature: lines.isEmpty ? nil : lines, isVerified: settings.witnessKey.map { _ in true }, wasSent: true)
        } catch {
            return WitnessOutcome(
                url: destination.url, treeSize: made.treeSize, oldSize: old, failure: error, cosignature: nil,
                isVerified: nil, wasSent: true)
        }
    }

    /// A witness that has another size than we remember says so, and is asked once more from there.
    private func send(_ made: MadeCheckpoint, _ client: WitnessClient, old: inout Int64) throws(LedgerError) -> String {
        for _ in 0..<2 {
            let path = try consistencyProof(from: old, to: made.treeSize).path
            switch try client.add(old: old, path: path, note: made.note) {
            case .taken(let lines): return lines
            case .knows(let size):
                guard size <= made.treeSize else { throw Self.ahead(size, made.treeSize) }
                guard size != old else { throw Self.conflict(size) }
                old = size
            }
        }
        throw Self.conflict(old)
    }

    private static func ahead(_ size: Int64, _ own: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "witness_ahead"),
            message: "The witness has seen \(size) events of this log, and there are \(own): some are missing here.",
            remedy: "Stop the worker, keep a copy of the folder, and run audit verify: the end of the log was cut off.")
    }

    private static func conflict(_ size: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "witness_conflict"),
            message: "The witness has seen other events than these as the first \(size) of this log.",
            remedy: "Stop the worker, keep a copy of the folder, and run audit verify.")
    }
}
