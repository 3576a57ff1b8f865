import Glibc
import SystemCalls
import Vault

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/capture-ledger-vault-\(hex(SecureRandom.bytes(8)))"
        try FileSystem.makeFolder(path)
    }

    deinit {
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", path], limitMilliseconds: 10_000, outputLimit: 0)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Every file below, by its path from here.
    func files() throws -> [String] {
        let found = try ChildProcess.run(
            path: "/usr/bin/find", arguments: ["find", path, "-type", "f"], limitMilliseconds: 10_000, outputLimit: 1 << 24)
        return String(decoding: found.output, as: UTF8.self).split(separator: "\n").map { String($0.dropFirst(path.count + 1)) }
    }

    /// The files that hold `bytes` somewhere.
    func files(holding bytes: [UInt8]) throws -> [String] {
        try files().filter { try read($0).contains(bytes) }
    }

    func read(_ name: String) throws -> [UInt8] {
        try FileDescriptor(opening: file(name), .read).readToEnd(limit: 1 << 30)
    }

    func setMode(_ name: String, _ mode: UInt32) {
        guard unsafe chmod(file(name), mode) == 0 else { fatalError("chmod") }
    }

    func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600) throws {
        try FileSystem.remove(file(name))
        let opened = try FileDescriptor(opening: file(name), .createNew, mode: mode)
        try opened.write(bytes)
    }
}

extension ObjectID {
    static func random() -> ObjectID {
        let words = SecureRandom.words()
        return ObjectID(high: words.0, low: words.1)
    }
}
