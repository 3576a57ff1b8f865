import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// What comes before what when something is written.
@Suite struct OrderTests {
    @Test func `an original is in its place before the transaction begins that names it`() throws {
        let folder = Mutex<String?>(nil)
        let seen = Mutex<[[String]]>([])
        // The store's clock is asked when a transaction begins: what lies in the folder then was there before.
        let clock = LedgerClock {
            if let path = folder.withLock({ $0 }) {
                let there = (try? tree(path + "/media")) ?? []
                seen.withLock { $0.append(there) }
            }
            return 1_790_000_000_000
        }
        let temporary = try TemporaryLedger(clock: clock)
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        folder.withLock { $0 = temporary.path }
        let captured = try temporary.ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        guard case .captured(let capture, _) = captured.outcome else {
            Issue.record("\(captured.outcome)")
            return
        }
        let place = "\(temporary.path)/media/\(capture.text.suffix(2))/\(capture.text)"
        #expect(seen.withLock { $0.first } == [])
        #expect(seen.withLock { $0.last } == [place])
    }

    @Test func `a command waits for the writer lock of another process, in the turnstile`() async throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let files = ledger.files
        let other = WriterLock(turnPath: files.turn, writerPath: files.writer)
        var hold: WriterLock.Hold? = try other.acquire()
        let isDone = Mutex(false)
        let command = Task.detached {
            let receipt = try ledger.start(StartRequest(configuration: configuration([.selfie])))
            isDone.withLock { $0 = true }
            return receipt
        }
        let deadline = SystemClock.monotonicNanoseconds() + 20_000_000_000
        while try !FileLock.isHeld(at: files.turn), !isDone.withLock({ $0 }), SystemClock.monotonicNanoseconds() < deadline {
            await Task.yield()
        }
        #expect(try FileLock.isHeld(at: files.turn))
        #expect(!isDone.withLock { $0 })
        #expect(try ledger.lastPosition() == 0)
        hold = nil
        #expect(try await command.value.positions == [1])
        _ = consume hold
    }
}
