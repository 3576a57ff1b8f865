/// Writes lines at or above a level to a sink.
///
/// The message is a `StaticString`, so that nothing from outside can be pasted into it; what varies goes into fields.
/// A line below the level costs one comparison: its fields are never built.
package struct Logger: Sendable {
    package let minimum: Level
    private let sink: (any Sink)?
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - minimum: lines below it are dropped.
    ///   - sink: where the lines go.
    ///   - now: Unix milliseconds for the time of a line.
    package init(minimum: Level = .info, sink: any Sink, now: @escaping @Sendable () -> Int64) {
        self.minimum = minimum
        self.sink = sink
        self.now = now
    }

    private init() {
        minimum = .error
        sink = nil
        now = { 0 }
    }

    /// Says nothing.
    package static let off = Logger()

    /// The same lines at another level, each changed on its way to the sink or not.
    package func at(_ minimum: Level, through wrap: ((any Sink) -> any Sink)? = nil) -> Logger {
        guard let sink else { return self }
        return Logger(minimum: minimum, sink: wrap?(sink) ?? sink, now: now)
    }

    package func isEnabled(_ level: Level) -> Bool { sink != nil && level >= minimum }

    package func log(_ level: Level, _ message: StaticString, _ fields: @autoclosure () -> [Field] = []) {
        guard let sink, level >= minimum else { return }
        sink.write(Entry(level: level, message: "\(message)", fields: fields(), recordedAtMilliseconds: now()))
    }

    package func debug(_ message: StaticString, _ fields: @autoclosure () -> [Field] = []) { log(.debug, message, fields()) }
    package func info(_ message: StaticString, _ fields: @autoclosure () -> [Field] = []) { log(.info, message, fields()) }
    package func notice(_ message: StaticString, _ fields: @autoclosure () -> [Field] = []) { log(.notice, message, fields()) }
    package func warning(_ message: StaticString, _ fields: @autoclosure () -> [Field] = []) {
        log(.warning, message, fields())
    }
    package func error(_ message: StaticString, _ fields: @autoclosure () -> [Field] = []) { log(.error, message, fields()) }
}
