import CSystem
import Glibc

/// A program that this one started. It inherits only the descriptors that it was given and standard error, leads a process group of
/// its own, and is killed with that group and reaped when this goes out of scope before `wait`.
package struct SpawnedProcess: ~Copyable, Sendable {
    package let processID: Int32
    /// Once it was reaped: what it and the children that it waited for used.
    package private(set) var used: ResourceUse?
    private var isReaped = false

    /// Starts `path` with `arguments` (the first is its own name) and the environment given, or this program's; see
    /// posix_spawn(3).
    ///
    /// - Parameter descriptors: what the child has open as 0, 1, 2 and so on. Standard error goes where ours goes unless it is named.
    package init(
        path: String, arguments: [String], environment: [String]? = nil, descriptors: [Int32]
    ) throws(SystemError) {
        processID = try Self.spawn(path, arguments, environment, descriptors)
    }

    deinit {
        if isReaped { return }
        _ = Glibc.kill(-processID, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(processID, &status, 0) < 0, Glibc.errno == EINTR {}
    }

    package borrowing func kill() { _ = Glibc.kill(-processID, SIGKILL) }

    /// Reaps it. Nil when it still runs after `limit` milliseconds. See wait4(2), pidfd_open(2).
    package mutating func wait(limitMilliseconds limit: Int64) throws(SystemError) -> ChildProcess.End? {
        let number = cl_pidfd_open(processID)
        if number < 0 { throw SystemError(errno: Glibc.errno, call: "pidfd_open") }
        let handle = FileDescriptor(owning: number)
        guard try handle.waitUntilReadable(deadline: SystemClock.monotonicNanoseconds() + limit * 1_000_000) else { return nil }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(processID, &status, 0, &usage) < 0 {
            if Glibc.errno != EINTR { throw SystemError(errno: Glibc.errno, call: "wait4") }
        }
        isReaped = true
        used = ResourceUse(usage)
        let signal = cl_end_signal(status)
        return signal != 0 ? .signalled(signal) : .exited(cl_exit_status(status))
    }
}

extension SpawnedProcess {
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String]?, _ descriptors: [Int32]
    ) throws(SystemError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        // dup2 clears close-on-exec; everything else that this program opened has the flag. A source that lies where an earlier
        // target does would be overwritten before its turn, so all of them are moved above the targets.
        var moved: [Int32] = []
        defer { for number in moved { _ = Glibc.close(number) } }
        for number in descriptors {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, Int32(max(3, descriptors.count)))
            if copy < 0 { throw SystemError(errno: Glibc.errno, call: "fcntl") }
            moved.append(copy)
        }
        for (target, source) in moved.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
        }
        var noSignals = sigset_t()
        var usualSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe sigfillset(&usualSignals)
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usualSignals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = unsafe arguments.map { unsafe strdup($0) }
        unsafe words.append(nil)
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment?.map { unsafe strdup($0) } ?? []
        unsafe variables.append(nil)
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var processID: pid_t = 0
        let code =
            unsafe environment == nil
            ? posix_spawn(&processID, path, &actions, &attributes, words, environ)
            : posix_spawn(&processID, path, &actions, &attributes, words, variables)
        if code != 0 { throw SystemError(errno: code, call: "posix_spawn", path: path) }
        return processID
    }
}
