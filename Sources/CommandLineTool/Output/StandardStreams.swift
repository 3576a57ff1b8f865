import StructuredLog
import SystemCalls

/// The process's own streams; never closed by us.
enum StandardStreams {
    private static let output = FileDescriptor(owning: 1)
    private static let errors = FileDescriptor(owning: 2)

    /// - Throws: a ``Complaint`` with exit code 74.
    static func print(_ bytes: [UInt8]) throws {
        do throws(SystemError) { try output.write(bytes) } catch {
            throw Complaint(
                "output_failed", "The output could not be written.", remedy: "Check the disk, or the program that reads it.",
                exit: .inputOutput)
        }
    }

    /// A complaint that nobody can read is not worth another.
    static func tell(_ line: String) { try? errors.write(Array(line.utf8) + [0x0A]) }
}

extension Console {
    static func standard(isJSON: Bool, logLevel: Level) -> Console {
        let sink = LineSink(form: isJSON ? .json : .text) { StandardStreams.tell($0) }
        return Console(
            isJSON: isJSON, logger: Logger(minimum: logLevel, sink: sink, now: { SystemClock.realtimeMilliseconds() }),
            output: { try StandardStreams.print($0) }, errors: { StandardStreams.tell($0) })
    }
}
