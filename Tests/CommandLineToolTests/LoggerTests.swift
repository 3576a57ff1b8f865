import StructuredLog
import Synchronization
import Testing

private final class Collector: Sink {
    private let box = Mutex<[Entry]>([])
    var entries: [Entry] { box.withLock { $0 } }
    func write(_ entry: Entry) { box.withLock { $0.append(entry) } }
}

struct LoggerTests {
    @Test func `a line below the level is dropped and its fields are never built`() {
        let collector = Collector()
        let logger = Logger(minimum: .warning, sink: collector, now: { 7 })
        func costly() -> [Field] {
            Issue.record("built the fields of a line that nobody reads")
            return []
        }
        logger.debug("quiet", costly())
        Logger.off.error("quiet", costly())
        logger.error("loud", [Field("n", 1)])
        #expect(collector.entries.map(\.message) == ["loud"])
        #expect(collector.entries.map(\.recordedAtMilliseconds) == [7])
    }

    @Test func `a secret field keeps its name and no sink can print its value`() {
        let entry = Entry(
            level: .info, message: "sent", fields: [.secret("token"), Field("status", 200)], recordedAtMilliseconds: 5)
        #expect(entry.json == #"{"at_ms":5,"level":"info","message":"sent","token":"[redacted]","status":200}"#)
        #expect(entry.text == "info: sent (token=[redacted], status=200)")
    }

    @Test func `hostile text stays on one line in both forms`() throws {
        let entry = Entry(
            level: .error, message: "m",
            fields: [Field("a", "x\n\u{1B}[2J\"\\\u{2028}"), Field("level", "mine"), Field("d", Double.nan), Field("b", true)],
            recordedAtMilliseconds: 0)
        #expect(
            entry.json
                == #"{"at_ms":0,"level":"error","message":"m","a":"x\n\u001b[2J\"\\\u2028","_level":"mine","d":null,"b":true}"#)
        #expect(!entry.text.contains("\n") && !entry.text.contains("\u{1B}"))
    }

    @Test func `levels are ordered and named`() {
        #expect(Level.allCases.sorted().map(\.name) == ["debug", "info", "notice", "warning", "error"])
        #expect(Level(name: "warning") == .warning)
        #expect(Level(name: "WARNING") == nil)
    }
}
