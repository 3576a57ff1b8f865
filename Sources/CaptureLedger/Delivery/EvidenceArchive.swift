package import DeliveryMachine
import Dispatch
import SessionDomain
import Synchronization
import Vault

/// Keeps what endpoints answered, sealed, a file each. The files of a batch become durable together where the file system can do it;
/// elsewhere they are written side by side, because each waits for the disk twice, and many take as long as one.
package final class EvidenceArchive: EvidenceSink {
    private static let width = 8

    private let ledger: Ledger
    private let lanes: [DispatchQueue]
    /// Of the last batch: locked until the settlement that names them is durable, so that nobody takes them for orphans.
    private var held: [SealedObject] = []

    package init(_ ledger: Ledger) {
        self.ledger = ledger
        lanes = (0..<Self.width).map { DispatchQueue(label: "capture-ledger.evidence.\($0)") }
    }

    package func archive(_ answers: [EndedClaim]) -> [Result<EvidenceReference, DeliveryFault>] {
        held.removeAll()
        if answers.isEmpty { return [] }
        let keys = keys(of: Set(answers.map(\.claim.session)))
        let pages = answers.map { answer in
            keys.flatMap { $0[answer.claim.session] ?? .failure(.noSession()) }.map { Page(answer.result, $0, ledger) }
        }
        return (writeTogether(pages) ?? write(pages)).map { written in
            switch written {
            case .success(let (page, object)):
                held.append(object)
                return .success(page.reference)
            case .failure(let error):
                return .failure(DeliveryFault(.evidenceUnavailable, message: error.message, remedy: error.remedy))
            }
        }
    }

    /// nil where that cannot be done.
    private func writeTogether(_ pages: [Result<Page, LedgerError>]) -> [Result<(Page, SealedObject), LedgerError>]? {
        let whole = pages.compactMap { try? $0.get() }
        guard
            var written = ledger.vault?.write(
                .evidence, together: whole.map { Vault.NewObject($0.id, key: $0.key, $0.bytes) })?[...]
        else { return nil }
        return pages.map { page in
            page.flatMap { page in
                guard let object = written.popFirst() else { preconditionFailure("each object has a result") }
                return object.map { (page, $0) }.mapError { LedgerError($0) }
            }
        }
    }

    private func write(_ pages: [Result<Page, LedgerError>]) -> [Result<(Page, SealedObject), LedgerError>] {
        let ledger = ledger
        if pages.count == 1 { return pages.map { Self.write($0, in: ledger) } }
        let written = Mutex([Result<(Page, SealedObject), LedgerError>?](repeating: nil, count: pages.count))
        let group = DispatchGroup()
        for (index, page) in pages.enumerated() {
            lanes[index % lanes.count].async(group: group) {
                let result = Self.write(page, in: ledger)
                written.withLock { $0[index] = result }
            }
        }
        group.wait()
        return written.withLock { $0.compactMap(\.self) }
    }

    private static func write(
        _ page: Result<Page, LedgerError>, in ledger: Ledger
    ) -> Result<(Page, SealedObject), LedgerError> {
        page.flatMap { page in
            do throws(LedgerError) {
                return .success(
                    (
                        page,
                        try unlocked { () throws(VaultError) in
                            try ledger.vaultOrThrow().write(.evidence, page.id, key: page.key, page.bytes)
                        }
                    ))
            } catch {
                return .failure(error)
            }
        }
    }

    private func keys(
        of sessions: Set<SessionID>
    ) -> Result<[SessionID: Result<SessionKey, LedgerError>], LedgerError> {
        do throws(LedgerError) { return .success(try ledger.sessionKeys(whileErasing: sessions)) } catch {
            return .failure(error)
        }
    }
}

/// One answer as it is kept: its status line, its header fields, its body.
private struct Page: Sendable {
    let id: ObjectID
    let key: SessionKey
    let bytes: [UInt8]
    let reference: EvidenceReference

    init(_ answer: TransferResult, _ key: SessionKey, _ ledger: Ledger) {
        var bytes = Array("HTTP \(answer.status)\r\n".utf8)
        for header in answer.headers { bytes += Array("\(header.name): \(header.value)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        bytes += answer.body
        let id = Identifiers.fresh(atMilliseconds: ledger.clock.nowMilliseconds())
        self.id = ObjectID(id)
        self.key = key
        self.bytes = bytes
        reference = EvidenceReference(id: id.text, sha256: Digests.sha256(bytes))
    }
}
