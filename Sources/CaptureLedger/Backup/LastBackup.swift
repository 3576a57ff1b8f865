import SessionDomain

/// How far the newest backup of this ledger goes: `last-backup`, one line. Nothing depends on it but what `doctor` says.
struct LastBackup {
    let position: Int64

    private static func file(_ files: LedgerFiles) -> SmallFile { SmallFile(folder: files.folder, name: "last-backup") }

    /// nil when none was made since the ledger was made or restored.
    static func read(of ledger: Ledger) throws(LedgerError) -> LastBackup? {
        guard let line = try file(ledger.files).read() else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 4, words[0] == "1", UUID128(words[1]) == ledger.epoch, let position = Int64(words[2]) else {
            return nil
        }
        return LastBackup(position: position)
    }

    /// A backup is good also where this cannot be noted.
    static func note(_ report: BackupReport, of ledger: Ledger) {
        let line = "1 \(report.epoch.text) \(report.position) \(ledger.clock.nowMilliseconds())"
        try? file(ledger.files).write(line, in: ledger.files)
    }
}
