import EventStorage
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger
@testable import CommandLineTool

@Suite struct ReplayTests {
    @Test func `every line is the object that the event gives, and a page boundary changes nothing`() throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: SeededRandom.seed(for: "replay"))
        try history.run(steps: 150)
        var views: [EventView] = []
        for session in history.sessions { views += try temporary.ledger.timeline(session) }
        views.sort { $0.position < $1.position }
        #expect(views.map(\.position) == Array(1...Int64(views.count)))
        let expected = views.map { $0.json.canonical + "\n" }.joined()
        for limit in [1, 7, 2_000] {
            #expect(try all(temporary.ledger, ReplayFilter(), limit) == expected)
        }
        #expect(try temporary.ledger.events(after: 0, limit: 10_000) == views)
    }

    @Test func `filters hold together, and a replay goes on where it stopped`() throws {
        let now = TurnedTime(1_800_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock { now.value })
        let ledger = temporary.ledger
        for _ in 0..<12 {
            let session = try ledger.start(StartRequest(configuration: configuration([.selfie, .passportFront]))).session
            now.value += 1_000
            _ = try ledger.capture(
                CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
            now.value += 1_000
            _ = try ledger.confirm(.selfie, in: session, CommandOptions())
        }
        let every = try ledger.events(after: 0, limit: 1_000)
        let third = every[6].session
        func check(_ change: (inout ReplayFilter) -> Void, _ wanted: (EventView) -> Bool) throws {
            var filter = ReplayFilter()
            change(&filter)
            let expected = every.filter(wanted)
            #expect(!expected.isEmpty && expected.count < every.count)
            #expect(try all(ledger, filter, 5) == expected.map { $0.json.canonical + "\n" }.joined())
            // half, then the rest from where that ended
            var text: [UInt8] = []
            let first = try ledger.replay(filter, after: 0, limit: 13, as: .jsonLines, into: &text)
            let rest = try all(ledger, filter, 1_000, after: first.position)
            #expect(String(decoding: text, as: UTF8.self) + rest == expected.map { $0.json.canonical + "\n" }.joined())
        }
        try check {
            $0.session = third
        } _: {
            $0.session == third
        }
        try check {
            $0.types = [5, 7]
        } _: {
            ["piece_captured", "piece_confirmed"].contains($0.type)
        }
        try check {
            $0.pieces = [.selfie]
        } _: {
            $0.piece == "selfie"
        }
        try check {
            $0.through = 20
        } _: {
            $0.position <= 20
        }
        let (since, until) = (every[5].recordedAtMilliseconds, every[24].recordedAtMilliseconds)
        try check {
            $0.sinceMilliseconds = since
        } _: {
            $0.recordedAtMilliseconds >= since
        }
        try check {
            $0.untilMilliseconds = until
        } _: {
            $0.recordedAtMilliseconds <= until
        }
        try check {
            $0.sinceMilliseconds = since + 1
            $0.untilMilliseconds = until - 1
            $0.types = [5]
        } _: {
            $0.type == "piece_captured" && $0.recordedAtMilliseconds > since && $0.recordedAtMilliseconds < until
        }
        var none = ReplayFilter()
        none.sinceMilliseconds = .max
        #expect(try all(ledger, none, 10) == "")
    }

    @Test func `CSV keeps every value, and no cell is a formula`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "plain", "quote\"d", "a,b", "x\\y"]
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        for (index, text) in hostile.enumerated() {
            var options = CommandOptions()
            options.commandID = CommandID(text)
            #expect(options.commandID != nil)
            _ = try index.isMultiple(of: 2) ? ledger.suspend(session, options) : ledger.resume(session, options)
        }
        var bytes = ReplayForm.csv.header
        _ = try ledger.replay(ReplayFilter(), after: 0, as: .csv, into: &bytes)
        let rows = parsed(String(decoding: bytes, as: UTF8.self))
        #expect(rows[0] == ReplayForm.columns)
        #expect(rows.allSatisfy { $0.count == ReplayForm.columns.count })
        let views = try ledger.events(after: 0)
        #expect(rows.count == views.count + 1)
        for (row, view) in zip(rows.dropFirst(), views) {
            let cells = Dictionary(uniqueKeysWithValues: zip(ReplayForm.columns, row))
            #expect(cells["position"] == String(view.position) && cells["session_id"] == view.session.text)
            #expect(cells["facts"] == view.facts && cells["recorded_at_ms"] == String(view.recordedAtMilliseconds))
            let command = view.commandID ?? ""
            #expect(cells["command_id"] == ("=+-@".contains(command.first ?? "x") ? "'" + command : command))
        }
    }

    @Test func `altered facts stay in their line`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        for _ in 0..<3 {
            _ = try temporary.ledger.suspend(session, CommandOptions())
            _ = try temporary.ledger.resume(session, CommandOptions())
        }
        let foreign = try EventDatabase.openForWriting(temporary.ledger.files.database)
        try foreign.execute(
            """
            DROP TRIGGER event_is_never_changed;
            UPDATE event SET facts = '{"a":1}{' WHERE position = 2; UPDATE event SET facts = '{"a' WHERE position = 3;
            UPDATE event SET facts = '{"a":' || char(10) || '1}' WHERE position = 4; UPDATE event SET facts = '' WHERE position = 5;
            UPDATE event SET facts = '}{' WHERE position = 6;
            """)
        let lines = try all(temporary.ledger, ReplayFilter(), 100).split(separator: "\n")
        #expect(lines.count == 7)
        for line in lines { _ = try JSONValue.parse(Array(line.utf8)) }
        let story = try temporary.ledger.story(session)
        #expect(story.map(\.event.version) == Array(1...7) && story[2].sentence.contains("cannot be read"))
    }

    @Test func `a session's story names every step, what was refused, late and replaced, and both clocks`() throws {
        let now = TurnedTime(1_800_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock { now.value })
        let ledger = temporary.ledger
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie, .passportFront]))).session
        func options(_ difference: Int64?) -> CommandOptions {
            now.value += 90_000
            var options = CommandOptions()
            options.occurredAtMilliseconds = difference.map { now.value + $0 }
            return options
        }
        var request = CaptureRequest(session: session, piece: .selfie, path: fixture("README.md"), source: .file)
        request.options = options(-7_200_000)
        _ = try ledger.capture(request)
        for difference in [nil, Int64.max / 2 - now.value] as [Int64?] {
            request = CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera)
            request.options = options(difference)
            _ = try ledger.capture(request)
        }
        _ = try ledger.confirm(.selfie, in: session, options(nil))
        let story = try ledger.story(session)
        #expect(
            story.map(\.sentence) == [
                "The session began: the selfie and passport front are asked for.",
                "A selfie was offered from a file and not taken in. The bytes are of a format that is not taken in.",
                "The selfie was captured with the camera: image/jpeg, 384 × 512, \(size(story[2])) KiB.",
                "The selfie was captured with the camera, attempt 2: image/jpeg, 384 × 512, \(size(story[2])) KiB.",
                "The selfie was confirmed and waits to be sent to verifier.",
            ])
        #expect(story.map(\.elapsedMilliseconds) == [nil, 90_000, 90_000, 90_000, 90_000])
        #expect(story.map(\.isRefusal) == [false, true, false, false, false])
        #expect(story.map(\.supersededByVersion) == [nil, nil, 4, nil, nil])
        #expect(story.map(\.clockDifferenceMilliseconds) == [nil, -7_200_000, nil, nil, nil])
        #expect(story.map(\.event.isClientClockSkewed) == [false, false, false, true, false])
        let rows = story.map { $0.row.joined(separator: " ") }
        #expect(rows[1].contains("refused") && rows[1].contains("[by the client's clock 2 h earlier]"))
        #expect(rows[2].contains("replaced by v4") && rows[3].contains("could not be believed"))
        #expect(story[1].json["summary"]?.asString == story[1].sentence && story[1].json["refused"] == true)
    }

    private func size(_ step: TimelineStep) -> Int64 {
        ((try? JSONValue.parse(step.event.facts))?["bytes"]?.asInteger ?? 0) / 1_024
    }

    private func all(_ ledger: Ledger, _ filter: ReplayFilter, _ limit: Int, after start: Int64 = 0) throws -> String {
        var (text, position) = ([UInt8](), start)
        while true {
            let step = try ledger.replay(filter, after: position, limit: limit, as: .jsonLines, into: &text)
            position = step.position
            if step.isEnd { return String(decoding: text, as: UTF8.self) }
        }
    }

    /// RFC 4180, read by rules of its own.
    private func parsed(_ text: String) -> [[String]] {
        var (rows, row, cell, isQuoted) = ([[String]](), [String](), "", false)
        var rest = Array(text.unicodeScalars)[...]
        while let next = rest.popFirst() {
            switch next {
            case "\"" where isQuoted && rest.first == "\"":
                cell.append("\"")
                rest.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(cell)
                cell = ""
            case "\r" where !isQuoted && rest.first == "\n":
                rest.removeFirst()
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(next)
            }
        }
        #expect(row.isEmpty && cell.isEmpty && !isQuoted)
        return rows
    }
}
