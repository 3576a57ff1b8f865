import Dispatch
import EventStorage
import SQLite
import SessionDomain
import Synchronization
import SystemCalls
import Testing

@testable import CaptureLedger

/// G10: the write-ahead log stays short, also under a reader that never pauses.
@Suite struct LogUpkeepTests {
    @Test func `a short log is left alone, a longer one is moved, a long one is waited for`() {
        var upkeep = LogUpkeep()
        #expect(upkeep.step(pages: 2047) == .nothing)
        #expect(upkeep.step(pages: 2048) == .move)
        #expect(upkeep.step(pages: 2049) == .nothing, "no attempt behind every commit")
        #expect(upkeep.step(pages: 2304) == .move)
        #expect(upkeep.step(pages: 4096) == .beginAnew(waitingMilliseconds: 20))
        upkeep.waitedInVain()
        #expect(upkeep.step(pages: 5119) == .nothing, "who reads for longer than that is not waited for at every commit")
        #expect(upkeep.step(pages: 5120) == .beginAnew(waitingMilliseconds: 40))
        for (pages, wait) in [(6144, 80), (7168, 160), (8192, 160)] {
            upkeep.waitedInVain()
            #expect(upkeep.step(pages: pages) == .beginAnew(waitingMilliseconds: wait))
        }
        #expect(upkeep.step(pages: 3) == .nothing)
        #expect(upkeep.step(pages: 4096) == .beginAnew(waitingMilliseconds: 20), "it has begun anew: nothing was in vain")
    }

    @Test func `G10 the log begins anew while somebody always reads`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let vault = try #require(ledger.vault)
        var upkeep = LogUpkeep()
        (upkeep.movingPages, upkeep.waitingPages, upkeep.pagesBetween, upkeep.pagesAfterWaiting) = (16, 32, 4, 8)
        upkeep.waitMilliseconds = 200
        let desk = WriterDesk(files: ledger.files, lock: ledger.lock, vault: vault, clock: ledger.clock, upkeep: upkeep)
        defer { desk.close() }

        let isOver = Mutex(false)
        let begun = DispatchSemaphore(value: 0)
        let reader = DispatchGroup()
        let path = ledger.files.database
        DispatchQueue(label: "test.reader").async(group: reader) {
            // Of two statements one is always under way.
            guard let first = try? Self.statement(path), let second = try? Self.statement(path) else {
                begun.signal()
                Issue.record("no reader")
                return
            }
            _ = try? first.step()
            begun.signal()
            while !isOver.withLock({ $0 }) {
                _ = try? second.step()
                first.reset()
                _ = try? first.step()
                second.reset()
            }
            first.reset()
        }
        begun.wait()
        for number in 0..<200 {
            desk.run([
                RecordedJob(
                    CommandRequest(session, number.isMultiple(of: 2) ? .suspend : .resume, try commandID("\(number)")))
            ])
        }
        let size = try #require(try FileStatus.of(ledger.files.log)).size
        isOver.withLock { $0 = true }
        reader.wait()
        // A page and what is said about it take 8,216 bytes; without waiting, 200 commits leave more than a thousand.
        #expect(size < 128 * 8216, "\(size) bytes of log")
        try Oracle.findsNothingWrong(temporary.path)
    }

    private static func statement(_ path: String) throws -> Statement {
        try Statement(try EventDatabase.openForReading(path), "SELECT position FROM event ORDER BY position")
    }
}
