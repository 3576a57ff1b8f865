import Audit
import SystemCalls

/// An entry of an archive while it grows, in a file beside it that has no name: the entry's size stands before it.
final class Spool {
    private static let held = 1 << 16

    let file: FileDescriptor
    private var waiting: [UInt8] = []

    /// - Parameter path: where the file is for a moment.
    init(_ files: BackupFiles, at path: String) throws(LedgerError) {
        file = try files.make(path)
        waiting.reserveCapacity(Self.held)
        try called { () throws(SystemError) in _ = try FileSystem.remove(path) }
    }

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
