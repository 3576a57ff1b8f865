import Cryptography
package import SystemCalls

/// What every key of a ledger is wrapped with. It is kept outside the ledger; whoever loses it loses everything sealed.
package struct MasterKey: Sendable {
    /// Only what wraps is kept, not the master key itself.
    let wrapping: SecretKey

    private init(_ master: SecretKey) {
        wrapping = HKDF.key(from: master, info: Array("capture-ledger wrap v1".utf8))
    }

    /// From 32 bytes that the caller has. Nil for another count.
    package init?(_ bytes: [UInt8]) {
        guard let master = SecretKey(copying: bytes) else { return nil }
        self.init(master)
    }

    /// - Parameter access: of the ledger. A file that its group may read is refused unless the ledger is shared with that group.
    /// - Throws: `master_key_missing`, `master_key_shut` where it is there and this user may not read it, `master_key_exposed`,
    ///   `master_key_malformed`.
    package static func load(_ source: MasterKeySource, sharedAs access: FileAccess = .owner) throws(VaultError) -> MasterKey {
        var content: [UInt8]
        switch source {
        case .file(let path): content = try read(path, access)
        case .credential(let name):
            guard let folder = EnvironmentVariable.value(of: "CREDENTIALS_DIRECTORY") else {
                throw VaultError(.masterKeyMissing, cause: "CREDENTIALS_DIRECTORY is not set")
            }
            content = try read(folder + "/" + name, nil)
        case .command(let command): content = try run(command)
        }
        defer { cleanse(&content) }
        return try parse(content)
    }

    /// Makes a new master key file, durable when it returns, and never overwrites one.
    ///
    /// - Throws: `master_key_exists`, `storage_full`, `storage_failed`; no file is left then.
    @discardableResult
    package static func create(at path: String, sharedAs access: FileAccess = .owner) throws(VaultError) -> MasterKey {
        var bytes = SecureRandom.bytes(SecretKey.byteCount)
        var content = hexadecimal(bytes)
        defer {
            cleanse(&bytes)
            cleanse(&content)
        }
        let mode: UInt32 = access == .owner ? 0o600 : 0o640
        do throws(SystemError) {
            let parent = FileSystem.parent(of: path)
            try FileSystem.makeFolder(parent)
            let folder = try FileDescriptor(opening: parent, .folder, followLinks: true)
            let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
            let draft = "\(name).new-\(SecureRandom.words().0)"
            do throws(SystemError) {
                let file = try folder.open(draft, .createNew, mode: mode)
                try access.apply(to: file, mode: mode)
                try file.write(content)
                try file.synchronize()
                // Whole or not there at all, whenever this program is killed.
                try folder.move(draft, to: folder, as: name)
                try folder.synchronize()
            } catch {
                _ = try? folder.remove(draft)
                throw error
            }
        } catch {
            if error.code == .alreadyExists { throw VaultError(.masterKeyExists, cause: path) }
            throw VaultError(error)
        }
        return try parse(content)
    }

    private static func read(_ path: String, _ access: FileAccess?) throws(VaultError) -> [UInt8] {
        do {
            let file = try FileDescriptor(opening: path, .read, followLinks: true)
            if let access {
                let status = try file.status()
                var allowed: UInt32 = 0o700
                if case .group(status.group) = access { allowed |= 0o040 }
                guard status.mode & 0o777 & ~allowed == 0 else { throw VaultError(.masterKeyExposed, cause: path) }
            }
            return try file.readToEnd(limit: 128)
        } catch let error as VaultError {
            throw error
        } catch let error as SystemError {
            if error.code == .permissionDenied { throw VaultError(.masterKeyShut, cause: error.message) }
            throw VaultError(.masterKeyMissing, cause: error.message)
        } catch {
            throw VaultError(.masterKeyMissing)
        }
    }

    private static func run(_ command: String) throws(VaultError) -> [UInt8] {
        do {
            let result = try ChildProcess.run(
                path: "/bin/sh", arguments: ["sh", "-c", command], limitMilliseconds: 10_000, outputLimit: 128)
            guard result.end == .exited(0) else {
                throw VaultError(.masterKeyMissing, cause: "the command failed: \(result.end)")
            }
            return result.output
        } catch let error as VaultError {
            throw error
        } catch let error as SystemError {
            throw VaultError(.masterKeyMissing, cause: error.message)
        } catch {
            throw VaultError(.masterKeyMissing)
        }
    }

    /// 64 digits and a line feed, which a command may leave out.
    private static func parse(_ content: [UInt8]) throws(VaultError) -> MasterKey {
        guard content.count == 64 || (content.count == 65 && content[64] == UInt8(ascii: "\n")) else {
            throw VaultError(.masterKeyMalformed)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        defer { cleanse(&bytes) }
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = nibble(content[index]), let low = nibble(content[index + 1]) else {
                throw VaultError(.masterKeyMalformed)
            }
            bytes.append(high << 4 | low)
        }
        guard let key = MasterKey(bytes) else { throw VaultError(.masterKeyMalformed) }
        return key
    }

    private static func nibble(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        var units: [UInt8] = []
        units.reserveCapacity(65)
        for byte in bytes {
            for nibble in [byte >> 4, byte & 15] {
                units.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            }
        }
        units.append(UInt8(ascii: "\n"))
        return units
    }
}
