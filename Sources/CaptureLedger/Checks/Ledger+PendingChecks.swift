import EventStorage
import Projections
package import SessionDomain

/// What a look at everything that waits for a judgement came to.
package struct PendingChecks: Sendable {
    package struct Item: Sendable {
        package let session: SessionID
        package let piece: Piece
        package let capture: CaptureID
        package let check: CheckedCapture
    }

    /// Captures that were judged now, in the order in which their sessions began.
    package var judged: [Item] = []
    /// Captures that still wait: beyond the limit, or because the checks cannot run.
    package var left = 0
    /// Why the checks could not run.
    package var obstacle: Obstacle?
    /// Captures whose original could not be read, and why; they still wait.
    package var broken: [(capture: CaptureID, error: LedgerError)] = []

    package var passed: Int { judged.count { $0.check.failure == nil } }
    package var failed: Int { judged.count - passed }
}

extension Ledger {
    /// Judges what waits for it, oldest session first: captures that a crash left unchecked, those whose scanner was not ready, those of
    /// sessions with deferred checks. A scanner or decoder that is not ready ends the run and changes nothing.
    ///
    /// - Parameter limit: captures to judge at most.
    package func judgePending(limit: Int = .max) throws(LedgerError) -> PendingChecks {
        _ = try writer
        _ = try checks.judge
        var done = PendingChecks()
        var last: Int64 = 0
        while true {
            let page = try unchecked(after: last)
            guard let newest = page.last else { return done }
            for waiting in page { try check(waiting, limit: limit, &done) }
            last = newest.number
        }
    }

    private func check(_ waiting: Waiting, limit: Int, _ done: inout PendingChecks) throws(LedgerError) {
        for (piece, capture) in waiting.captures {
            guard done.obstacle == nil, done.judged.count < limit else {
                done.left += 1
                continue
            }
            do throws(LedgerError) {
                let check = try check(capture, of: waiting.session, awaitsScanner: true)
                switch check.standing {
                case .judged: done.judged.append(.init(session: waiting.session, piece: piece, capture: capture, check: check))
                case .notAwaited: break
                case .unchecked(let obstacle):
                    done.obstacle = obstacle
                    done.left += 1
                }
            } catch {
                // one that was erased meanwhile, or is to be, waits for nothing
                if ["session_erased", "erasure_requested"].contains(error.code.rawValue) { continue }
                // what would meet every capture alike, such as a full disk or a key that is not there
                if error.isRetryable || error.code.rawValue.hasPrefix("master_key") { throw error }
                done.left += 1
                done.broken.append((capture, error))
            }
        }
    }

    /// How many captures wait for a judgement.
    package func uncheckedCount() throws(LedgerError) -> Int {
        var (count, last): (Int, Int64) = (0, 0)
        while true {
            let page = try unchecked(after: last)
            guard let newest = page.last else { return count }
            count += page.reduce(0) { $0 + $1.captures.count }
            last = newest.number
        }
    }

    private struct Waiting {
        let number: Int64
        let session: SessionID
        let captures: [(Piece, CaptureID)]
    }

    private static let page = 64

    private func unchecked(after last: Int64) throws(LedgerError) -> [Waiting] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var page: [Waiting] = []
                for number in try context.flows.unchecked(after: last, limit: Self.page) {
                    guard let row = try context.events.session(number: number) else { continue }
                    let state = try context.events.fold(session: number, context.configurations).state
                    let captures = state.unchecked.compactMap { piece in state.pieces[piece].captureID.map { (piece, $0) } }
                    page.append(Waiting(number: number, session: row.id, captures: captures))
                }
                return page
            }
        }
    }
}
