import Glibc
import SystemCalls
import Testing
import Vault

@Suite struct MasterKeyTests {
    private let digits = String(repeating: "0123456789abcdef", count: 4)

    @Test func `a new master key file is private, well formed and never overwritten`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("config/master.key")
        try MasterKey.create(at: path)
        let content = try folder.read("config/master.key")
        #expect(content.count == 65 && content.last == UInt8(ascii: "\n"))
        #expect(try FileStatus.of(path)?.mode == 0o600)
        #expect(code { try MasterKey.create(at: path) } == .masterKeyExists)
        #expect(try folder.read("config/master.key") == content)

        let vault = try Vault.create(folder: folder.file("l"), masterKey: MasterKey.load(.file(path)))
        try vault.ensureMinted(through: 1)
        let other = folder.file("other.key")
        try MasterKey.create(at: other)
        #expect(
            code { _ = try Vault.open(folder: folder.file("l"), masterKey: MasterKey.load(.file(other))) } == .wrongMasterKey)
    }

    @Test func `a file that others may read is refused, unless the ledger's group is meant`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("k")
        for (mode, expected): (UInt32, VaultError.Code?) in [
            (0o600, nil), (0o400, nil), (0o640, .masterKeyExposed), (0o604, .masterKeyExposed), (0o620, .masterKeyExposed),
        ] {
            try folder.write("k", Array(digits.utf8))
            folder.setMode("k", mode)
            #expect(code { _ = try MasterKey.load(.file(path)) } == expected, "mode \(String(mode, radix: 8))")
        }
        folder.setMode("k", 0o640)
        let group = try #require(try FileStatus.of(path)).group
        #expect(code { _ = try MasterKey.load(.file(path), sharedAs: .group(group)) } == nil)
        #expect(code { _ = try MasterKey.load(.file(path), sharedAs: .group(group + 1)) } == .masterKeyExposed)
        folder.setMode("k", 0o644)
        #expect(code { _ = try MasterKey.load(.file(path), sharedAs: .group(group)) } == .masterKeyExposed)
    }

    @Test func `what is not 64 digits and a line feed is refused`() throws {
        let folder = try TemporaryFolder()
        for (content, expected): (String, VaultError.Code?) in [
            (digits + "\n", nil), (digits, nil), (digits.uppercased() + "\n", nil), ("", .masterKeyMalformed),
            (String(digits.dropLast()), .masterKeyMalformed), (digits + "\n\n", .masterKeyMalformed),
            (digits + "0", .masterKeyMalformed), (String(digits.dropLast()) + "g", .masterKeyMalformed),
            (String(repeating: digits, count: 100), .masterKeyMalformed),
        ] {
            try folder.write("k", Array(content.utf8))
            #expect(code { _ = try MasterKey.load(.file(folder.file("k"))) } == expected)
        }
        #expect(code { _ = try MasterKey.load(.file(folder.file("none"))) } == .masterKeyMissing)
        #expect(code { _ = try MasterKey.load(.file(folder.path)) } == .masterKeyMissing)
    }

    @Test func `a command's output is the key`() throws {
        let folder = try TemporaryFolder()
        try folder.write("k", Array((digits + "\n").utf8))
        let vault = try Vault.create(folder: folder.file("l"), masterKey: MasterKey.load(.file(folder.file("k"))))
        _ = vault
        let same = try MasterKey.load(.command("cat '\(folder.file("k"))'"))
        _ = try Vault.open(folder: folder.file("l"), masterKey: same)
        #expect(code { _ = try MasterKey.load(.command("exit 3")) } == .masterKeyMissing)
        #expect(code { _ = try MasterKey.load(.command("kill -9 $$")) } == .masterKeyMissing)
        #expect(code { _ = try MasterKey.load(.command("cat /dev/zero")) } == .masterKeyMissing)
        #expect(code { _ = try MasterKey.load(.command("echo hello")) } == .masterKeyMalformed)
    }

    @Test func `where a key is kept reads back as it was written`() {
        for text in ["/etc/k", "credential:ledger", "command:pass show ledger"] {
            #expect(MasterKeySource(text)?.text == text)
        }
        for text in ["", "credential:", "credential:a/b", "credential:..", "command:"] { #expect(MasterKeySource(text) == nil) }
    }

    @Test func `a systemd credential is read from its folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write("name", Array(String(repeating: "0f", count: 32).utf8))
            precondition(code { _ = try MasterKey.load(.credential("name")) } == .masterKeyMissing)
            unsafe setenv("CREDENTIALS_DIRECTORY", folder.path, 1)
            _ = try MasterKey.load(.credential("name"))
            precondition(code { _ = try MasterKey.load(.credential("other")) } == .masterKeyMissing)
        }
    }

    @Test func `every error says what to do, and none holds a key`() {
        for code in VaultError.Code.allCases {
            let error = VaultError(code)
            #expect(error.message.count > 10 && error.remedy.count > 10)
        }
    }
}
