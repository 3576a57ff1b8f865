import Cryptography
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain
import Vault

/// An attempt whose answer was archived.
private struct ArchivedAnswer {
    let number: Int64
    /// The position of the event that confirmed the capture.
    let delivery: Int64
    let session: Int64?
    let id: ObjectID?
    let digest: [UInt8]
}

extension LedgerVerifier {
    private static let evidencePage = 256

    /// Every archived answer is there and, with keys, is the one whose digest was kept.
    func checkEvidence(_ files: SealedFiles) throws(StorageError) {
        let content = ContentCheck(files: files, vault: vault, reader: reader)
        let page = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.evidenceOfAttempts) }
        var last: Int64 = 0
        while true {
            let answers = try answers(page, after: last)
            guard let newest = answers.last else { return }
            for answer in answers { try check(answer, files, content) }
            guard newest.number > last else { return }
            last = newest.number
        }
    }

    private func answers(_ page: Statement, after last: Int64) throws(StorageError) -> [ArchivedAnswer] {
        try stored { () throws(SQLiteError) in
            page.bind(last, at: 1)
            page.bind(Self.evidencePage, at: 2)
            defer { page.reset() }
            var found: [ArchivedAnswer] = []
            while try page.step() {
                found.append(
                    ArchivedAnswer(
                        number: page.int64(0), delivery: page.int64(1), session: page.optionalInt64(2),
                        id: page.words(3).map { ObjectID(high: $0.0, low: $0.1) }, digest: page.blob(4)))
            }
            return found
        }
    }

    private func check(_ answer: ArchivedAnswer, _ files: SealedFiles, _ content: ContentCheck) throws(StorageError) {
        guard let number = answer.session, let id = answer.id, let session = try reader.session(number: number) else {
            report.add(.attemptAltered, at: answer.delivery, "An attempt names an answer and no delivery of this ledger.")
            return
        }
        func isErased() throws(StorageError) -> Bool {
            if try content.isBeingErased(number) { return true }
            return try content.isErasedInLog(number)
        }
        do throws(VaultError) {
            _ = try files.sealedDigest(.evidence, id)
        } catch {
            // only now: it may have been erased a moment ago
            let isErased = try isErased()
            if error.code != .objectMissing {
                report.add(.evidenceUnreadable, at: answer.delivery, "An archived answer cannot be read. \(error.message)")
            } else if !isErased, answer.delivery <= files.elsewhereThrough {
                report.sealedElsewhere += 1
            } else if !isErased {
                report.add(.evidenceMissing, at: answer.delivery, "An archived answer is gone and no event says why.")
            }
            return
        }
        if try isErased() { return }
        report.evidence += 1
        guard let vault, let keyNumber = session.keyNumber else { return }
        do throws(VaultError) {
            let digest = try vault.read(.evidence, id, key: try vault.sessionKey(keyNumber)).verify()
            if digest.bytes != answer.digest {
                report.add(.evidenceAltered, at: answer.delivery, "An archived answer is not the one that was kept.")
            }
        } catch {
            if error.code == .keyDestroyed { return }
            report.add(.evidenceUnreadable, at: answer.delivery, "An archived answer does not open. \(error.message)")
        }
    }
}
