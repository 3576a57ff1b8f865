import Audit
import SystemCalls

/// An entry of an archive while it grows, in a file beside it that only this user may read: the entry's size stands before it.
final class Spool {
    private static let held = 1 << 16

    let file: FileDescriptor
    private let path: String
    private var waiting: [UInt8] = []

    /// - Parameter path: of a file that is not there; it is removed with this object.
    init(_ files: BackupFiles, at path: String) throws(LedgerError) {
        self.path = path
        file = try files.make(path)
        waiting.reserveCapacity(Self.held)
    }

    deinit { _ = try? FileSystem.remove(path) }

    func write(_ bytes: some Sequence<UInt8>) throws(LedgerError) {
        waiting.append(contentsOf: bytes)
        if waiting.count >= Self.held { try flush() }
    }

    func flush() throws(LedgerError) {
        let bytes = waiting
        waiting.removeAll(keepingCapacity: true)
        try called { () throws(SystemError) in try file.write(bytes) }
    }
}
