import EventCoding
import Foundation
import SessionDomain
import Testing

/// docs/events.md says what the code does.
@Suite struct CatalogueTests {
    @Test func `the catalogue lists every event type with its number, version, columns and facts`() throws {
        let rows = try Self.rows { $0.count == 6 && $0[0].hasPrefix("`") && Int($0[1]) != nil }
        let written = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0[1...4])) })
        #expect(Set(written.keys) == Set(EventType.allCases.map { "`\($0.name)`" }))
        for type in EventType.allCases {
            #expect(try written["`\(type.name)`"] == Self.row(type), "\(type.name)")
        }
    }

    @Test func `the catalogue lists every outcome with its number`() throws {
        let rows = try Self.rows { $0.count == 2 && $0[0].hasPrefix("`") && Int($0[1]) != nil }
        #expect(Set(rows) == Set(OutcomeCode.allCases.map { ["`\($0.name)`", String($0.rawValue)] }))
    }

    @Test func `the catalogue names every kind of observation, interaction and code`() throws {
        let text = try Self.text()
        let names =
            Observation.kinds.flatMap { [$0.name] + $0.fields } + LiveScanHint.allCases.map(\.rawValue)
            + Interaction.allCases.map(\.rawValue) + RecordingEnd.allCases.map(\.rawValue)
            + CaptureFailure.known.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    /// Number, version, columns and facts of a type, read off its samples.
    static func row(_ type: EventType) throws -> [String] {
        var columns: [String] = []
        var facts: Set<String> = []
        var always: Set<String>?
        for stored in EventSamples.encoded(Interner()) where stored.type == type.code {
            let held: [(String, Bool)] = [
                ("piece", stored.piece != nil), ("capture_id", stored.captureID != nil), ("source", stored.source != nil),
                ("outcome", stored.outcome != nil), ("reason", stored.reason != nil),
                ("duration_ms", stored.durationMilliseconds != nil),
            ]
            for (name, isHeld) in held where isHeld && !columns.contains(name) { columns.append(name) }
            let keys = Set(try JSONValue.parse(stored.facts).asMembers?.map(\.key) ?? [])
            facts.formUnion(keys)
            always = always?.intersection(keys) ?? keys
        }
        let order = ["piece", "capture_id", "source", "outcome", "reason", "duration_ms"]
        return [
            String(type.code), String(type.schemaVersion), order.filter(columns.contains).joined(separator: ", "),
            facts.sorted().map { always?.contains($0) == true ? $0 : "\($0)?" }.joined(separator: ", "),
        ]
    }

    private static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
    }

    private static func rows(where isWanted: ([String]) -> Bool) throws -> [[String]] {
        try text().split(separator: "\n").filter { $0.hasPrefix("|") }
            .map { line in
                line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
            .filter(isWanted)
    }
}
