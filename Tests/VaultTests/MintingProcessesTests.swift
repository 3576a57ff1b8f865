import Glibc
import SQLite
import SystemCalls
import Testing
import Vault

@Suite struct MintingProcessesTests {
    @Test func `two processes that mint and destroy at once under the lock lose nothing`() async throws {
        let fixture = try VaultFixture()
        let (ledger, bytes) = (fixture.ledger, fixture.masterKeyBytes)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [ledger = ledger as String, bytes = bytes as [UInt8], number = number as Int] in
                        let lock = WriterLock(turnPath: ledger + "/lock.turn", writerPath: ledger + "/lock.writer")
                        let vault = try Vault.open(folder: ledger, masterKey: MasterKey(bytes)!)
                        for round in 1...8 {
                            let hold = try lock.acquire()
                            try vault.refresh()
                            try vault.ensureMinted(through: Int64(256 * round))
                            let mine = Int64(2 * round + number)
                            _ = try vault.sessionKeyInBatch(mine)
                            try vault.destroy(mine, atMilliseconds: Int64(round))
                            _ = consume hold
                        }
                    }
                }
            }
        }
        for number in Int64(1)...2048 {
            #expect(try fixture.vault.keyState(number) == ((2...17).contains(number) ? .destroyed : .active))
        }
        #expect(try fixture.vault.keyState(2049) == .none)
        for number in Int64(18)...2048 { _ = try fixture.vault.sessionKey(number) }
    }

    @Test func `a process that is killed while it mints leaves whole batches`() async throws {
        let fixture = try VaultFixture()
        let (ledger, bytes) = (fixture.ledger, fixture.masterKeyBytes)
        var random = SeededGenerator(CapturedSeed.value)
        var before: Int64 = 256
        for _ in 0..<6 {
            let growth = Int64.random(in: 1...100_000, using: &random)
            await #expect(processExitsWith: .signal(9)) {
                [ledger = ledger as String, bytes = bytes as [UInt8], growth = growth as Int64] in
                let vault = try Vault.open(folder: ledger, masterKey: MasterKey(bytes)!)
                let path = ledger + "/keys/keys.sqlite"
                let end = try (FileStatus.of(path)?.size ?? 0) + growth
                _ = Thread {
                    while (try? FileStatus.of(path)?.size ?? 0) ?? 0 < end { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                try vault.ensureMinted(through: 1_000_000)
            }
            let vault = try fixture.openAgain()
            var last = before
            while try vault.keyState(last + 1) == .active { last += 256 }
            #expect(try vault.keyState(last) == .active)
            #expect(last % 256 == 0)
            for number in stride(from: before, through: last, by: 17) { _ = try vault.sessionKey(number) }
            before = last
        }
        #expect(before > 256)
        // A journal that was left behind holds old pages; the next destruction takes it along.
        try fixture.vault.destroy(1, atMilliseconds: 1)
        #expect(try fixture.folder.files() == ["my.ledger/keys/keys.sqlite"])
    }

    @Test func `a key destroyed by another process is seen`() async throws {
        let fixture = try VaultFixture()
        _ = try fixture.vault.sessionKey(9)
        let (ledger, bytes) = (fixture.ledger, fixture.masterKeyBytes)
        await #expect(processExitsWith: .success) { [ledger = ledger as String, bytes = bytes as [UInt8]] in
            try Vault.open(folder: ledger, masterKey: MasterKey(bytes)!).destroy(9, atMilliseconds: 1)
        }
        #expect(code { _ = try fixture.vault.sessionKey(9) } == .keyDestroyed)
    }
}
