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
