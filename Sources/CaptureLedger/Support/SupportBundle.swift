import Archives
import EventCoding
import EventStorage
import SQLite
import SchemaFiles
package import SessionDomain
import SystemCalls

/// What a support engineer gets: how a ledger is doing, and nothing that is about a person or secret. Each part stands for itself, so that
/// a ledger that does not open gives a bundle too.
package struct SupportBundle {
    package struct Report: Sendable, Equatable {
        package let path: String
        package let bytes: Int64
        package let parts: [String]
        /// Parts that could not be had, and why, as a code.
        package let missing: [String: String]
    }

    private let folder: String
    private let environment: [String: String]
    private let versions: [JSONValue.Member]
    private let now: Int64
    private var parts: [(name: String, json: JSONValue)] = []
    private var missing: [String: String] = [:]
    private var removed: Set<String> = []

    private init(_ folder: String, _ environment: [String: String], _ versions: [JSONValue.Member], now: Int64) {
        self.folder = folder
        self.environment = environment
        self.versions = versions
        self.now = now
    }

    /// Writes the bundle of a ledger.
    ///
    /// - Parameters:
    ///   - ledger: opened for reading, or why it does not open.
    ///   - versions: what the caller knows of the program and its libraries.
    /// - Throws: `file_exists`, `no_such_folder`, and what the disk refuses.
    package static func write(
        of folder: String, _ ledger: Result<Ledger, LedgerError>, to path: String, versions: [JSONValue.Member],
        environment: [String: String], nowMilliseconds now: Int64
    ) throws(LedgerError) -> Report {
        let target = try BackupFiles(path)
        var bundle = SupportBundle(folder, environment, versions, now: now)
        bundle.collectSettings()
        bundle.collectVersions(ledger)
        bundle.add("files.json") { () throws(LedgerError) in try LedgerSizes.json(of: folder) }
        bundle.collect("doctor.json", ledger) { (ledger) throws(LedgerError) in
            try ledger.doctor(fix: false)
        } as: {
            $1.json(of: $0)
        }
        bundle.collect("status.json", ledger) { (ledger) throws(LedgerError) in
            try ledger.standing()
        } as: { json, _ in
            json
        }
        bundle.collect("events.json", ledger) { (ledger) throws(LedgerError) in
            try ledger.eventFigures()
        } as: { json, _ in
            json
        }
        bundle.collect("attempts.json", ledger) { (ledger) throws(LedgerError) in
            try ledger.attemptClasses()
        } as: { json, _ in
            json
        }
        let size = try bundle.write(to: try target.make(target.part))
        try target.place()
        return Report(path: path, bytes: size, parts: bundle.parts.map(\.name), missing: bundle.missing)
    }

    private mutating func collectSettings() {
        let path = folder + "/" + Settings.fileName
        guard
            let bytes = try? FileDescriptor(opening: path, .read, followLinks: true).readToEnd(limit: JSON5Reader.byteLimit)
        else {
            missing["settings.json"] = "settings_unreadable"
            return
        }
        let outline = SettingsOutline(bytes, environment: environment)
        removed = outline.removed
        parts.append(("settings.json", outline.json))
    }

    private mutating func collectVersions(_ ledger: Result<Ledger, LedgerError>) {
        var members = versions
        members.append(.init("made_at_ms", .integer(now)))
        members.append(.init("sqlite", .string(Connection.libraryVersion)))
        members.append(.init("newest_schema", .integer(Int64(Migrator.current))))
        switch ledger {
        case .success(let ledger):
            members.append(.init("ledger_id", .string(ledger.ledgerID.text)))
            members.append(.init("epoch", .string(ledger.epoch.text)))
        case .failure(let error): members.append(.init("does_not_open", .string(error.code.rawValue)))
        }
        parts.append(("versions.json", .members(members)))
    }

    private mutating func add(_ name: String, _ json: () throws(LedgerError) -> JSONValue) {
        do throws(LedgerError) { parts.append((name, try json())) } catch { missing[name] = error.code.rawValue }
    }

    private mutating func collect<Value>(
        _ name: String, _ ledger: Result<Ledger, LedgerError>, _ body: (Ledger) throws(LedgerError) -> Value,
        as json: (Value, SupportBundle) -> JSONValue
    ) {
        do throws(LedgerError) { parts.append((name, json(try body(try ledger.get()), self))) } catch {
            missing[name] = error.code.rawValue
        }
    }

    /// Codes, and messages that name no place and nothing that was taken out of the settings.
    private func json(of report: DoctorReport) -> JSONValue {
        .members([
            .init("healthy", .bool(report.isHealthy)), .init("schema_version", .integer(Int64(report.schemaVersion))),
            .init("last_position", .integer(report.lastPosition)), .init("free_bytes", .integer(report.freeBytes)),
            .init("log_bytes", .integer(report.logBytes)),
            .init(
                "findings",
                .array(
                    report.findings.map { finding in
                        var members: [JSONValue.Member] = [
                            .init("code", .string(finding.code)), .init("severity", .string(finding.severity.rawValue)),
                        ]
                        if isPlain(finding.message) { members.append(.init("message", .string(finding.message))) }
                        return .members(members)
                    })),
        ])
    }

    private func isPlain(_ text: String) -> Bool {
        !text.contains("/") && !removed.contains { !$0.isEmpty && text.contains($0) }
    }

    private func write(to file: consuming FileDescriptor) throws(LedgerError) -> Int64 {
        var all = parts
        let left = missing.map { JSONValue.Member($0.key, .string($0.value)) }
        if !left.isEmpty { all.append(("missing.json", JSONValue.members(left))) }
        let archive = TarWriter(file)
        return try called { () throws(SystemError) in
            for part in all { try archive.add(part.name, part.json.canonicalBytes + [0x0A]) }
            return try archive.finish()
        }
    }
}
