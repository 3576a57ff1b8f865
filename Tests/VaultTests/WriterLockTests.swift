import Glibc
import Synchronization
import SystemCalls
import Testing

@Suite struct WriterLockTests {
    private func lock(_ folder: TemporaryFolder) -> WriterLock {
        WriterLock(turnPath: folder.file("lock.turn"), writerPath: folder.file("lock.writer"))
    }

    @Test func `one holder at a time, and the lock comes back when it lets go`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (lock(folder), lock(folder))
        do {
            let hold = try first.acquire()
            #expect(try second.tryAcquire() == nil)
            #expect(try first.tryAcquire() == nil)
            #expect(try FileLock.isHeld(at: folder.file("lock.writer")))
            #expect(try !FileLock.isHeld(at: folder.file("lock.turn")))
            _ = consume hold
        }
        #expect(try second.tryAcquire() != nil)
        #expect(try first.tryAcquire() != nil)
        #expect(try !FileLock.isHeld(at: folder.file("lock.writer")))
        #expect(try FileStatus.of(folder.file("lock.turn"))?.mode == 0o600)
    }

    @Test func `threads of one process exclude each other`() throws {
        let folder = try TemporaryFolder()
        let shared = lock(folder)
        let separate = lock(folder)
        let counts = Counts()
        let threads = (0..<8).map { number in
            Thread {
                for _ in 0..<200 {
                    guard let hold = try? (number % 2 == 0 ? shared : separate).acquire() else { return }
                    if counts.inside.add(1, ordering: .sequentiallyConsistent).newValue != 1 {
                        counts.overlaps.add(1, ordering: .sequentiallyConsistent)
                    }
                    counts.total.add(1, ordering: .sequentiallyConsistent)
                    counts.inside.subtract(1, ordering: .sequentiallyConsistent)
                    _ = consume hold
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(counts.total.load(ordering: .sequentiallyConsistent) == 1600)
        #expect(counts.overlaps.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func `who lets go does not pass those who wait`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (lock(folder), lock(folder))
        var hold: WriterLock.Hold? = try first.acquire()
        let release = try Pipe()
        let isReleased = release.readEnd.number
        let waiter = Thread {
            guard let hold = try? second.acquire() else { return }
            var byte: UInt8 = 0
            unsafe _ = read(isReleased, &byte, 1)
            _ = consume hold
        }
        // The turn is taken as soon as somebody waits, and given back only with the lock in hand.
        let deadline = SystemClock.monotonicNanoseconds() + 10_000_000_000
        while try !FileLock.isHeld(at: folder.file("lock.turn")), SystemClock.monotonicNanoseconds() < deadline {
            sched_yield()
        }
        #expect(try FileLock.isHeld(at: folder.file("lock.turn")))
        hold = nil
        for _ in 0..<1000 { #expect(try first.tryAcquire() == nil) }
        try release.writeEnd.write([1])
        waiter.join()
        #expect(try first.tryAcquire() != nil)
        _ = consume hold
    }

    @Test func `a lock file that was removed is made again`() throws {
        let folder = try TemporaryFolder()
        let first = lock(folder)
        _ = try first.acquire()
        try FileSystem.remove(folder.file("lock.writer"))
        let hold = try first.acquire()
        #expect(try lock(folder).tryAcquire() == nil)
        _ = consume hold
    }

    @Test func `processes exclude each other`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        // Each process appends its number to a log while it holds the lock, after all of them have come to the start.
        await withTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let lock = WriterLock(turnPath: path + "/lock.turn", writerPath: path + "/lock.writer")
                        let log = try FileDescriptor(opening: path + "/log", .writeOrCreate)
                        try FileDescriptor(opening: path + "/here\(number)", .createNew).close()
                        while try (1...3).contains(where: { try FileStatus.of(path + "/here\($0)") == nil }) { sched_yield() }
                        for _ in 0..<300 {
                            let hold = try lock.acquire()
                            // Not atomic on purpose: without the lock, lines would overwrite each other.
                            let end = try log.status().size
                            sched_yield()
                            lseek(log.number, off_t(end), SEEK_SET)
                            try log.write([UInt8(number)])
                            try log.synchronizeData()
                            _ = consume hold
                        }
                    }
                }
            }
        }
        let log = try folder.read("log")
        #expect(log.count == 900)
        for number in 1...3 { #expect(log.count { $0 == UInt8(number) } == 300) }
    }

    @Test func `a killed holder's lock is free`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(9)) { [path = path as String] in
            let lock = WriterLock(turnPath: path + "/lock.turn", writerPath: path + "/lock.writer")
            let hold = try lock.acquire()
            let isHeld = try FileLock.isHeld(at: path + "/lock.writer")
            precondition(isHeld)
            kill(getpid(), SIGKILL)
            _ = consume hold
        }
        #expect(try lock(folder).tryAcquire() != nil)
    }

    @Test func `a child inherits no lock`() throws {
        let folder = try TemporaryFolder()
        let first = lock(folder)
        var hold: WriterLock.Hold? = try first.acquire()
        let child = try ChildProcess(path: "/bin/cat", arguments: ["cat"], hasInput: true)
        hold = nil
        #expect(try lock(folder).tryAcquire() != nil)
        _ = consume hold
        _ = child.processID
    }

    @Test func `another program's flock excludes ours`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock.writer")
        try folder.write("lock.writer", [])
        var child = try ChildProcess(
            path: "/usr/bin/flock", arguments: ["flock", path, "sh", "-c", "echo held; cat"], hasInput: true)
        var line = [UInt8](repeating: 0, count: 5)
        var span = line.mutableSpan
        _ = try child.output.read(into: &span)
        #expect(line == Array("held\n".utf8))
        #expect(try lock(folder).tryAcquire() == nil)
        child.closeInput()
        #expect(try child.wait(limitMilliseconds: 5000) == .exited(0))
        #expect(try lock(folder).tryAcquire() != nil)
    }
}

private final class Counts: Sendable {
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let total = Atomic<Int>(0)
}

/// A thread of the system, joined by its maker.
struct Thread {
    private let handle: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle, nil,
            { argument in
                unsafe Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        precondition(code == 0)
        self.handle = handle
    }

    func join() { _ = pthread_join(handle, nil) }
}
