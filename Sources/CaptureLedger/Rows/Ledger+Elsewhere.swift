import SessionDomain
import SystemCalls
import Vault

extension Ledger {
    private static let elsewherePurpose = "originals elsewhere"

    /// Says in the ledger's folder that the sealed files of events up to `position` lie elsewhere. It is sealed with the ledger's key: who
    /// removes originals cannot excuse it with a note of their own.
    func noteElsewhere(through position: Int64) throws(LedgerError) {
        let text = JSONValue.members([.init("through", .integer(position))]).canonicalBytes
        let sealed = try keys.sealLedgerSecret(text, purpose: Self.elsewherePurpose)
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: files.folder)
            let file = try FileDescriptor(opening: files.elsewhere, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try file.write(sealed)
            try file.synchronize()
            try FileSystem.synchronizeFolder(files.folder)
        }
    }

    /// Up to which position sealed files lie elsewhere, as an import noted; 0 where none did, and without the master key.
    package func elsewhereThrough() -> Int64 {
        guard let vault,
            let sealed = try? FileDescriptor(opening: files.elsewhere, .read).readToEnd(limit: 4096),
            let plain = try? vault.openLedgerSecret(sealed, purpose: Self.elsewherePurpose),
            let position = try? JSONValue.parse(plain)["through"]?.asInteger
        else { return 0 }
        return position
    }
}
