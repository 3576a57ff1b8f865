import EventStorage
import SessionDomain

/// The first line of a file of rows: what they are of.
struct RowHeader: Equatable {
    static let format = "capture-ledger rows v1"

    /// A place in the log and the chain there in hex; empty at the beginning.
    struct Place: Equatable {
        var position: Int64
        var chain: String

        static let beginning = Place(position: 0, chain: "")
    }

    let ledgerID: UUID128
    let createdAtMilliseconds: Int64
    let schema: Int64
    /// nil in a part, beside which they lie.
    let settings: String?
    /// The rows are what came behind this.
    let after: Place
    let through: Place

    var isPart: Bool { after.position > 0 }

    var bytes: [UInt8] {
        let members: [JSONValue.Member] = [
            .init("format", .string(Self.format)), .init("ledger_id", .string(ledgerID.text)),
            .init("created_at_ms", .integer(createdAtMilliseconds)), .init("schema", .integer(schema)),
            .init("settings", settings.map { .string($0) } ?? .null), .init("after", Self.json(after)),
            .init("through", Self.json(through)), .init("tables", Self.tables),
        ]
        return JSONValue.members(members).canonicalBytes
    }

    private static func json(_ place: Place) -> JSONValue {
        .members([.init("position", .integer(place.position)), .init("chain", .string(place.chain))])
    }

    /// Names and kinds of the columns of every table, in the order of a row's values.
    private static var tables: JSONValue {
        .members(
            RowTable.all.map { table in
                .init(table.name, .array(table.columns.map { .string("\($0.name) \($0.kind.rawValue)") }))
            })
    }
}

extension RowHeader {
    /// - Throws: `not_an_export`, `needs_newer_version`, `rows_damaged`.
    init(_ line: [UInt8]) throws(LedgerError) {
        guard let json = try? JSONValue.parse(line), json["format"]?.asString == Self.format else { throw .notAnExport }
        guard let schema = json["schema"]?.asInteger, schema <= Migrator.current else {
            throw LedgerError(
                code: .init(rawValue: "needs_newer_version"),
                message:
                    "The file comes from schema \(json["schema"]?.asInteger ?? 0); this version knows \(Migrator.current).",
                remedy: "Install the newer version; nothing was changed.")
        }
        guard let ledgerID = json["ledger_id"]?.asString.flatMap({ UUID128($0) }),
            let created = json["created_at_ms"]?.asInteger, let after = Self.place(json["after"]),
            let through = Self.place(json["through"]), after.position <= through.position
        else { throw .damagedExport("its first line does not say what it holds") }
        self.init(
            ledgerID: ledgerID, createdAtMilliseconds: created, schema: schema, settings: json["settings"]?.asString,
            after: after, through: through)
        guard bytes == line else { throw .damagedExport("its first line is not as it was written") }
    }

    private static func place(_ json: JSONValue?) -> Place? {
        guard let position = json?["position"]?.asInteger, position >= 0, let chain = json?["chain"]?.asString,
            chain.isEmpty == (position == 0)
        else { return nil }
        return Place(position: position, chain: chain)
    }
}

extension LedgerError {
    static let notAnExport = LedgerError(
        code: .init(rawValue: "not_an_export"), message: "This file is not an export of a ledger.",
        remedy: "Name a file that `capture-ledger export` wrote.")

    static func damagedExport(_ what: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "rows_damaged"), message: "The export cannot be trusted: \(what).",
            remedy: "Copy it again from where it is kept, or export the ledger again; nothing of it was taken in.")
    }
}
