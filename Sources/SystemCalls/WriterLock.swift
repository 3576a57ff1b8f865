import Synchronization

/// The lock under which a ledger is written and checkpointed, taken through a turnstile: wait for `turn`, wait for `writer`, let go
/// of `turn`. Whoever just wrote queues behind those who wait, so nobody starves; a plain flock(2) lets the same process win
/// again and again. It excludes other processes and other threads of this one, and a crash releases it.
package final class WriterLock: Sendable {
    private let turnPath: String
    private let writerPath: String
    private let access: FileAccess
    /// Open files of the last holder, kept so that a commit costs no open.
    private let spare = Mutex<Pair?>(nil)

    fileprivate struct Pair: ~Copyable, Sendable {
        let turn: FileDescriptor
        let writer: FileDescriptor
    }

    /// The ledger's `lock.turn` and `lock.writer`; made when they are not there.
    package init(turnPath: String, writerPath: String, access: FileAccess = .owner) {
        self.turnPath = turnPath
        self.writerPath = writerPath
        self.access = access
    }

    /// The lock, held until this goes out of scope.
    package struct Hold: ~Copyable, Sendable {
        private let pair: Pair
        private let lock: WriterLock

        fileprivate init(_ pair: consuming Pair, of lock: WriterLock) {
            self.pair = pair
            self.lock = lock
        }

        deinit {
            let lock = lock
            lock.takeBack(pair)
        }
    }

    /// Waits for its turn.
    package func acquire() throws(SystemError) -> Hold {
        while true {
            let pair = try open()
            try pair.turn.lock()
            try pair.writer.lock()
            let isCurrent = try isCurrent(pair)
            pair.turn.unlock()
            if isCurrent { return Hold(pair, of: self) }
        }
    }

    /// Nil when somebody writes or waits to write.
    package func tryAcquire() throws(SystemError) -> Hold? {
        let pair = try open()
        guard try pair.turn.tryLock() else { return nil }
        let isMine = try pair.writer.tryLock()
        let isCurrent = try isCurrent(pair)
        pair.turn.unlock()
        guard isMine, isCurrent else { return nil }
        return Hold(pair, of: self)
    }

    /// A file that somebody removed locks out nobody any more.
    private func isCurrent(_ pair: borrowing Pair) throws(SystemError) -> Bool {
        let turn = try pair.turn.status().links
        let writer = try pair.writer.status().links
        return turn > 0 && writer > 0
    }

    private func open() throws(SystemError) -> Pair {
        if let pair = spare.withLock({ spare in spare.take() }) { return pair }
        return Pair(turn: try FileLock.open(turnPath, access), writer: try FileLock.open(writerPath, access))
    }

    fileprivate func takeBack(_ held: consuming Pair) {
        held.writer.unlock()
        var pair: Pair? = held
        spare.withLock { spare in
            if spare == nil { spare = pair.take() }
        }
    }
}
