import SessionDomain
import Synchronization
import SystemCalls

/// How far a reader with a name has come: `followers/<name>.cursor`, one line, moved after what was read has been dealt with. One
/// reader holds a name at a time, in whatever process.
final class FollowerCursor: Sendable {
    private let file: SmallFile
    private let files: LedgerFiles
    private let epoch: UUID128
    private let lock: Mutex<FileLock?>

    /// - Throws: `follower_name_invalid`, `follower_in_use` (retryable).
    convenience init(_ name: String, of ledger: Ledger) throws(LedgerError) {
        guard Self.isName(name) else {
            throw LedgerError(
                code: .init(rawValue: "follower_name_invalid"),
                message: "A follower's name is 1 to 64 of a–z, A–Z, 0–9, hyphen, underscore and dot, and begins with a letter.",
                remedy: "Name it after what it feeds, such as crm-export.")
        }
        guard let lock = try Self.lock(name, ledger.files) else {
            throw LedgerError(
                code: .init(rawValue: "follower_in_use"), message: "Another reader goes by this name at this moment.",
                remedy: "Let it end, or give this one a name of its own.", isRetryable: true)
        }
        self.init(name, of: ledger, holding: lock)
    }

    init(_ name: String, of ledger: Ledger, holding lock: consuming FileLock) {
        files = ledger.files
        epoch = ledger.epoch
        file = SmallFile(folder: ledger.files.followers, name: name + ".cursor")
        self.lock = Mutex(lock)
    }

    /// Gives the name back at once, whoever still holds this object.
    func close() { lock.withLock { $0 = nil } }

    /// nil while another reader holds the name.
    static func lock(_ name: String, _ files: LedgerFiles) throws(LedgerError) -> FileLock? {
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: files.folder)
            try FileSystem.makeFolder(files.followers, access: access)
            return try FileLock(tryingAt: files.followers + "/" + name + ".lock", access: access)
        }
    }

    /// What was dealt with last; nil for a name that is new.
    ///
    /// A ledger that was restored since has lost its newest events and numbers new ones as it numbered those: what came after the
    /// backup is read again.
    ///
    /// - Throws: `cursor_damaged`; `cursor_ahead` when an older copy of the ledger was put in its place without a restore.
    func position(in ledger: Ledger) throws(LedgerError) -> Int64? {
        guard let line = try file.read() else { return nil }
        guard let mark = Mark(line) else {
            throw LedgerError(
                code: .init(rawValue: "cursor_damaged"), message: "The file that says how far a follower has read is damaged.",
                remedy: "Remove \(file.name) from the ledger's followers folder to read everything again.")
        }
        if mark.epoch == self.epoch {
            guard try mark.position <= ledger.lastPosition() else { throw .cursorAhead(mark.position) }
            return mark.position
        }
        return min(mark.position, try ledger.restoredAt().map { $0 - 1 } ?? 0)
    }

    /// What the file says: in which life of the ledger, and how far.
    struct Mark {
        let epoch: UUID128
        let position: Int64

        init?(_ line: String) {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, words[0] == "1", let epoch = UUID128(words[1]), let position = Int64(words[2]),
                position >= 0
            else { return nil }
            self.epoch = epoch
            self.position = position
        }
    }

    /// Durable when it returns.
    func move(to position: Int64) throws(LedgerError) { try file.write("1 \(epoch.text) \(position)", in: files) }

    private static func isName(_ text: String) -> Bool {
        let units = Array(text.utf8)
        func isLetter(_ unit: UInt8) -> Bool { (0x61...0x7A).contains(unit | 0x20) }
        guard (1...64).contains(units.count), isLetter(units[0]) else { return false }
        return units.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E
        }
    }
}

extension LedgerError {
    fileprivate static func cursorAhead(_ position: Int64) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "cursor_ahead"),
            message:
                "This reader has come to position \(position), which the ledger has not reached: an older copy was put in its place.",
            remedy: "Run `capture-ledger doctor`, which says what to do.")
    }
}
