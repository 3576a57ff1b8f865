import SystemCalls
import Vault

extension Examination {
    /// What a ledger needs outside itself: its master key, its tombstones, room, permissions.
    func lookAtSurroundings() {
        look(lookAtMasterKey)
        look(lookAtRotation)
        look(lookAtTombstones)
        look(lookAtSpace)
        look(lookAtPermissions)
        look(lookAtLeftovers)
    }

    private func lookAtMasterKey() throws(LedgerError) {
        guard let source = ledger.settings.masterKey else {
            add(
                "master_key_missing", .error, "The settings name no master key.",
                remedy: "Set master_key in \(Settings.fileName) to a file, credential:NAME or command:C.")
            return
        }
        if case .file(let path) = source, isInside(path) {
            add(
                "master_key_inside", .warning, "The master key lies in the ledger's folder: who copies that has everything.",
                remedy: "Move it elsewhere and name it in \(Settings.fileName).")
        }
        let access = try called { () throws(SystemError) in try FileAccess.matching(folder: files.folder) }
        try unlocked { () throws(VaultError) in
            let master = try MasterKey.load(source, sharedAs: access)
            if ledger.vault == nil { _ = try Vault.open(folder: files.folder, masterKey: master, isReadOnly: true) }
        }
    }

    private func lookAtTombstones() throws(LedgerError) {
        guard let path = ledger.settings.tombstonePath(in: files.folder) else {
            add(
                "tombstones_missing", .error, "The settings name no tombstone file: no backup can be restored.",
                remedy: "Set tombstones in \(Settings.fileName) to a file outside the ledger.")
            return
        }
        let entries = try Tombstones.read(path)
        if isInside(path) {
            add(
                "tombstones_inside", .warning, "The tombstone file lies in the ledger's folder and is lost with it.",
                remedy: "Move it elsewhere, back it up separately, and name it in \(Settings.fileName).")
        }
        let remembered = Set(entries.map(\.session))
        let forgotten = try erasedSessions().filter { !remembered.contains($0.session) }
        if forgotten.isEmpty { return }
        if fixes {
            for erasure in forgotten { if let number = erasure.keyNumber { try ledger.remember(erasure, number) } }
        }
        add(
            "tombstones_incomplete", .error, "\(forgotten.count) erased sessions are not in the tombstone file.",
            remedy:
                "Bring the complete file back, or run `capture-ledger doctor --fix`, which adds those that this ledger knows of; "
                + "until then a backup could bring erased persons back.", fixed: fixes)
    }

    private func isInside(_ path: String) -> Bool { !path.hasPrefix("/") || path.hasPrefix(files.folder + "/") }

    private func lookAtSpace() throws(LedgerError) {
        let free = try called { () throws(SystemError) in try FileSystem.freeBytes(at: files.folder) }
        if free >= ledger.settings.storageReserveBytes { return }
        add(
            "storage_low", .warning,
            "\(free >> 20) MiB are free, less than the reserve of \(ledger.settings.storageReserveBytes >> 20): captures are refused.",
            remedy: "Free some space, or lower storage.reserve_bytes.")
    }

    private func lookAtPermissions() throws(LedgerError) {
        for path in [files.folder, files.database, files.keys, files.keys + "/keys.sqlite"] {
            guard let status = try called({ () throws(SystemError) in try FileStatus.of(path) }) else { continue }
            let forbidden: UInt32 = path == files.folder || path == files.database ? 0o002 : 0o007
            if status.mode & forbidden != 0 {
                add(
                    "permissions_wide", .error, "Everybody on this machine may use \(path).",
                    remedy: "chmod o-rwx \(path)")
            }
        }
        for path in [files.turn, files.writer, files.sync] {
            guard let status = try called({ () throws(SystemError) in try FileStatus.of(path) }) else { continue }
            if status.kind != .file || FileSystem.isWritable(files.folder) && !FileSystem.isWritable(path) {
                add(
                    "lock_unusable", .error, "The lock file \(path) cannot be used by this user.",
                    remedy: "Give it the owner and group of the other files; remove it only while nothing runs.")
            }
        }
    }

    /// What an interrupted `init` left.
    private func lookAtLeftovers() throws(LedgerError) {
        let left = [files.database + ".new", files.database + ".new-wal", files.database + ".new-shm"]
        let found = try called { () throws(SystemError) in
            var found: [String] = []
            for path in left where try FileStatus.of(path) != nil { found.append(path) }
            if fixes { for path in found { try FileSystem.remove(path) } }
            return found
        }
        if found.isEmpty { return }
        add("init_left", .warning, "An interrupted init left files behind.", remedy: Self.runWithFix, fixed: fixes)
    }
}
