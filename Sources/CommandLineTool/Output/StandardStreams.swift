import Glibc
import StructuredLog
import SystemCalls

/// The process's own streams; never closed by us.
enum StandardStreams {
    private static let output = FileDescriptor(owning: 1)
    private static let errors = FileDescriptor(owning: 2)

    /// The complaint about a reader that went away.
    static let closed = Complaint(
        "output_failed", "Nobody reads the output any more.", remedy: "Read it to its end.", exit: .inputOutput)

    /// - Throws: a ``Complaint`` with exit code 74.
    static func print(_ bytes: [UInt8]) throws {
        do throws(SystemError) { try output.write(bytes) } catch {
            if error.errno == EPIPE { throw closed }
            throw Complaint(
                "output_failed", "The output could not be written.", remedy: "Check the disk, or the program that reads it.",
                exit: .inputOutput)
        }
    }

    static func draw(_ text: String) { try? errors.write(Array(text.utf8)) }

    /// A complaint that nobody can read is not worth another.
    static func tell(_ line: String) { try? errors.write(Array(line.utf8) + [0x0A]) }
}

extension Console {
    static func standard(isJSON: Bool, log: LogChoice) -> Console {
        let isWatched = Terminal.isAtStandardError()
        let sink = LineSink(form: log.form ?? (isJSON || !isWatched ? .json : .text)) { StandardStreams.tell($0) }
        return Console(
            isJSON: isJSON,
            logger: Logger(minimum: log.level ?? .warning, sink: sink, now: { SystemClock.realtimeMilliseconds() }),
            isWatched: isWatched, output: { try StandardStreams.print($0) }, errors: { StandardStreams.tell($0) },
            drawing: { StandardStreams.draw($0) })
    }
}
