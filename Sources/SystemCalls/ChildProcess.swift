import CSystem
import Glibc

/// A program that this one started, with pipes to its standard input and output. It inherits no other descriptor, leads a
/// process group of its own, and is killed with that group and reaped when this goes out of scope before `wait`.
package struct ChildProcess: ~Copyable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let processID: Int32
    package let output: FileDescriptor
    private var input: FileDescriptor?
    private var inputNumber: Int32
    /// Once it was reaped: what it and the children that it waited for used.
    package private(set) var used: ResourceUse?
    private var isReaped = false

    /// Starts `path` with `arguments` (the first is its own name) and the environment given, or this program's; see
    /// posix_spawn(3). Standard error goes where ours goes.
    package init(
        path: String, arguments: [String], environment: [String]? = nil, hasInput: Bool = false
    ) throws(SystemError) {
        let output = try Pipe()
        if hasInput {
            let input = try Pipe()
            processID = try Self.spawn(
                path, arguments, environment, input: input.readEnd.number, output: output.writeEnd.number)
            inputNumber = input.writeEnd.number
            self.input = input.takeWriteEnd()
        } else {
            let nothing = try FileDescriptor(opening: "/dev/null", .read, followLinks: true)
            processID = try Self.spawn(path, arguments, environment, input: nothing.number, output: output.writeEnd.number)
            inputNumber = -1
            self.input = nil
        }
        self.output = output.takeReadEnd()
    }

    deinit {
        if isReaped { return }
        _ = Glibc.kill(-processID, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(processID, &status, 0) < 0, Glibc.errno == EINTR {}
    }

    /// Writes to its standard input; see write(2). A child that went away is `EPIPE` when SIGPIPE is ignored.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try FileDescriptor.write(bytes.span, to: inputNumber)
    }

    /// Its standard input ends.
    package mutating func closeInput() {
        input = nil
        inputNumber = -1
    }

    package borrowing func kill() { _ = Glibc.kill(-processID, SIGKILL) }

    /// Reaps it. Nil when it still runs after `limit` milliseconds. See wait4(2), pidfd_open(2).
    package mutating func wait(limitMilliseconds limit: Int64) throws(SystemError) -> End? {
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

extension ChildProcess {
    /// Runs a program to its end without input.
    ///
    /// - Throws: `timed_out` after `limit` milliseconds, `output_too_large` beyond `outputLimit` bytes; it is killed then.
    package static func run(
        path: String, arguments: [String], environment: [String]? = nil, limitMilliseconds limit: Int64, outputLimit: Int
    ) throws(SystemError) -> (end: End, output: [UInt8]) {
        var child = try ChildProcess(path: path, arguments: arguments, environment: environment)
        let deadline = SystemClock.monotonicNanoseconds() + limit * 1_000_000
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard try child.output.waitUntilReadable(deadline: deadline) else {
                throw SystemError(.timedOut, call: "read", path: path)
            }
            var span = buffer.mutableSpan
            let count = try child.output.read(into: &span)
            if count == 0 { break }
            output.append(contentsOf: buffer[..<count])
            if output.count > outputLimit { throw SystemError(.outputTooLarge, call: "read", path: path) }
        }
        let left = max(0, deadline - SystemClock.monotonicNanoseconds()) / 1_000_000
        guard let end = try child.wait(limitMilliseconds: left) else {
            throw SystemError(.timedOut, call: "waitpid", path: path)
        }
        return (end, output)
    }
}

extension ChildProcess {
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String]?, input: Int32, output: Int32
    ) throws(SystemError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        // dup2 clears close-on-exec; everything else that this program opened has the flag.
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
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
