import Glibc

/// A program that this one started, with pipes to its standard input and output. It inherits no other descriptor, leads a
/// process group of its own, and is killed with that group and reaped when this goes out of scope before `wait`.
package struct ChildProcess: ~Copyable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let output: FileDescriptor
    private var process: SpawnedProcess
    private var input: FileDescriptor?
    private var inputNumber: Int32

    package var processID: Int32 { process.processID }
    /// Once it was reaped: what it and the children that it waited for used.
    package var used: ResourceUse? { process.used }

    /// Starts `path` with `arguments` (the first is its own name) and the environment given, or this program's; see
    /// posix_spawn(3). Standard error goes where ours goes.
    package init(
        path: String, arguments: [String], environment: [String]? = nil, hasInput: Bool = false
    ) throws(SystemError) {
        let output = try Pipe()
        if hasInput {
            let input = try Pipe()
            process = try SpawnedProcess(
                path: path, arguments: arguments, environment: environment,
                descriptors: [input.readEnd.number, output.writeEnd.number])
            inputNumber = input.writeEnd.number
            self.input = input.takeWriteEnd()
        } else {
            let nothing = try FileDescriptor(opening: "/dev/null", .read, followLinks: true)
            process = try SpawnedProcess(
                path: path, arguments: arguments, environment: environment,
                descriptors: [nothing.number, output.writeEnd.number])
            inputNumber = -1
            self.input = nil
        }
        self.output = output.takeReadEnd()
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

    package borrowing func kill() { process.kill() }

    /// Reaps it. Nil when it still runs after `limit` milliseconds.
    package mutating func wait(limitMilliseconds limit: Int64) throws(SystemError) -> End? {
        try process.wait(limitMilliseconds: limit)
    }
}

extension ChildProcess {
    /// Runs a program to its end without input.
    ///
    /// - Parameter isOver: asked several times a second; it is not waited for any longer once that is so.
    /// - Throws: `timed_out` after `limit` milliseconds or once it is over, `output_too_large` beyond `outputLimit` bytes; it is
    ///   killed then.
    package static func run(
        path: String, arguments: [String], environment: [String]? = nil, limitMilliseconds limit: Int64, outputLimit: Int,
        isOver: () -> Bool = { false }
    ) throws(SystemError) -> (end: End, output: [UInt8]) {
        if isOver() { throw SystemError(.timedOut, call: "read", path: path) }
        var child = try ChildProcess(path: path, arguments: arguments, environment: environment)
        let deadline = SystemClock.monotonicNanoseconds() + limit * 1_000_000
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard try child.output.waitUntilReadable(deadline: min(deadline, Self.nextLook)) else {
                if isOver() || SystemClock.monotonicNanoseconds() >= deadline {
                    throw SystemError(.timedOut, call: "read", path: path)
                }
                continue
            }
            var span = buffer.mutableSpan
            let count = try child.output.read(into: &span)
            if count == 0 { break }
            output.append(contentsOf: buffer[..<count])
            if output.count > outputLimit { throw SystemError(.outputTooLarge, call: "read", path: path) }
        }
        while true {
            let left = max(0, min(deadline, Self.nextLook) - SystemClock.monotonicNanoseconds()) / 1_000_000
            if let end = try child.wait(limitMilliseconds: left) { return (end, output) }
            if isOver() || SystemClock.monotonicNanoseconds() >= deadline {
                throw SystemError(.timedOut, call: "waitpid", path: path)
            }
        }
    }

    private static var nextLook: Int64 { SystemClock.monotonicNanoseconds() + 100_000_000 }
}
