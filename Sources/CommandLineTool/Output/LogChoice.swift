import StructuredLog

/// What the user asked of the lines on standard error; nil: as the verb sees fit.
struct LogChoice: Sendable {
    var level: Level?
    var form: LineSink.Form?
}

extension Invocation {
    var logChoice: LogChoice {
        var choice = LogChoice()
        choice.level = text("log").flatMap { Level(name: $0) }
        choice.form = text("log-format").map { $0 == "json" ? .json : .text }
        return choice
    }
}
