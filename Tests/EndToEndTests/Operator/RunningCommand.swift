import Glibc
import SessionDomain
import SystemCalls
import Testing

/// A command that runs while the test goes on; killed when it goes out of scope.
struct RunningCommand: ~Copyable {
    private var process: ChildProcess
    let began = SystemClock.monotonicNanoseconds()
    /// Where its standard error goes.
    let errors: String
    private let ledger: String

    init(_ workshop: Workshop, _ arguments: [String], environment: [String] = [], before: String = "") throws {
        errors = "\(workshop.path)/errors-\(SecureRandom.words().0)"
        ledger = workshop.ledger
        process = try ChildProcess(
            path: "/bin/sh",
            arguments: ["sh", "-c", "\(before) exec \"$0\" \"$@\" 2>'\(errors)'", Workshop.product] + arguments,
            environment: workshop.variables + environment)
    }

    borrowing func signal(_ number: Int32) { _ = kill(process.processID, number) }

    var processID: Int32 { process.processID }

    /// Waits until another run would be refused: this one has begun to work.
    borrowing func waitUntilItWorks() throws {
        try until("it holds the worker's lock") { try FileLock.isHeld(at: "\(ledger)/lock.sync") }
    }

    /// Its end, its output, and how long it lived, in milliseconds.
    mutating func end(limitMilliseconds: Int64 = 30_000) throws -> (finished: Finished, milliseconds: Int64) {
        let deadline = SystemClock.monotonicNanoseconds() + limitMilliseconds * 1_000_000
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while try process.output.waitUntilReadable(deadline: deadline) {
            var span = buffer.mutableSpan
            let count = try process.output.read(into: &span)
            if count == 0 { break }
            output.append(contentsOf: buffer[..<count])
        }
        let left = max(0, deadline - SystemClock.monotonicNanoseconds()) / 1_000_000
        let end = try #require(try process.wait(limitMilliseconds: left), "it did not end in time")
        let text = (try? FileDescriptor(opening: errors, .read).readToEnd(limit: 1 << 24)) ?? []
        return (
            Finished(end: end, output: String(decoding: output, as: UTF8.self), errors: String(decoding: text, as: UTF8.self)),
            (SystemClock.monotonicNanoseconds() - began) / 1_000_000
        )
    }

    /// The next line of its output.
    borrowing func line(limitMilliseconds: Int64 = 20_000) throws -> String {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        let deadline = SystemClock.monotonicNanoseconds() + limitMilliseconds * 1_000_000
        while try process.output.waitUntilReadable(deadline: deadline) {
            var span = byte.mutableSpan
            if try process.output.read(into: &span) == 0 || byte[0] == UInt8(ascii: "\n") { break }
            line.append(byte[0])
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// Asks again and again, and fails the test after twenty seconds.
func until(_ what: String, _ isSo: () throws -> Bool) throws {
    let deadline = SystemClock.monotonicNanoseconds() + 20_000_000_000
    while try !isSo() {
        try #require(SystemClock.monotonicNanoseconds() < deadline, "never: \(what)")
        usleep(5_000)
    }
}

extension Workshop {
    /// A ledger with so many confirmed captures, one session each.
    func fill(_ count: Int = 1) throws {
        try ledger("init")
        for _ in 0..<count {
            let session = try startSession("selfie")
            try ledger("capture", session, "selfie", fixture("selfie.jpg"))
        }
    }

    func sync(_ more: String..., environment: [String] = []) throws -> Finished {
        try run(["--ledger", ledger, "--json", "sync"] + more, environment: environment)
    }

    /// Puts settings for the worker's runs into the ledger's settings.
    func setSync(_ text: String) throws {
        let path = ledger + "/capture-ledger.json5"
        // what an earlier call put there goes
        let lines = try self.text(path).split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("  sync: {") ? "  sync: { \(text)," : String($0)
        }
        _ = try FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(lines.joined(separator: "\n").utf8))
    }

    func count(_ query: String) throws -> Int {
        let text = try Workshop.shell(
            "python3 -c 'import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' '\(ledger)/ledger.sqlite' \"\(query)\""
        )
        return try #require(Int(text.filter { !$0.isWhitespace }), "\(text)")
    }

    /// Claims that somebody holds.
    func heldClaims() throws -> Int { try count("SELECT count(*) FROM delivery_work WHERE holder IS NOT NULL") }
}
