import Cryptography
import SessionDomain

/// What a backup says of itself, in its last entry: canonical JSON, with a digest over the rest of it.
struct BackupManifest: Equatable {
    static let format = "capture-ledger backup v1"
    static let incrementFormat = "capture-ledger increment v1"

    let ledgerID: UUID128
    let epoch: UUID128
    /// The last event in it, and the chain there, in hex.
    let position: Int64
    let chain: String
    /// Of an increment: the place behind which it begins, which is where its base ended.
    let after: RowHeader.Place?
    let schema: Int64
    let createdAtMilliseconds: Int64
    let entries: Int
    /// SHA-256 of the listing, in hex.
    let listing: String

    var bytes: [UInt8] { JSONValue.members(members + [.init("digest", .string(digest))]).canonicalBytes }

    private var digest: String { SHA256.digest(of: JSONValue.members(members).canonicalBytes).hex }

    private var members: [JSONValue.Member] {
        let place: [JSONValue.Member] =
            after.map {
                [.init("after_position", .integer($0.position)), .init("after_chain", .string($0.chain))]
            } ?? []
        return place + [
            .init("format", .string(after == nil ? Self.format : Self.incrementFormat)),
            .init("ledger_id", .string(ledgerID.text)),
            .init("epoch", .string(epoch.text)), .init("position", .integer(position)), .init("chain", .string(chain)),
            .init("schema", .integer(schema)), .init("created_at_ms", .integer(createdAtMilliseconds)),
            .init("entries", .integer(Int64(entries))), .init("listing_sha256", .string(listing)),
        ]
    }
}

extension BackupManifest {
    /// nil unless these are exactly the bytes that `bytes` gives.
    init?(_ content: [UInt8]) {
        guard let json = try? JSONValue.parse(content), let ledgerID = json["ledger_id"]?.asString.flatMap({ UUID128($0) }),
            let epoch = json["epoch"]?.asString.flatMap({ UUID128($0) }), let position = json["position"]?.asInteger,
            let chain = json["chain"]?.asString, let schema = json["schema"]?.asInteger,
            let created = json["created_at_ms"]?.asInteger, let entries = json["entries"]?.asInteger,
            let listing = json["listing_sha256"]?.asString
        else { return nil }
        var after: RowHeader.Place?
        if let position = json["after_position"]?.asInteger, let chain = json["after_chain"]?.asString {
            after = RowHeader.Place(position: position, chain: chain)
        }
        self.init(
            ledgerID: ledgerID, epoch: epoch, position: position, chain: chain, after: after, schema: schema,
            createdAtMilliseconds: created,
            entries: Int(clamping: entries), listing: listing)
        guard bytes == content else { return nil }
    }
}

extension BackupManifest {
    /// Whether backups, named in order, make one whole: the first holds everything up to its end, each other one goes on where the one before
    /// it ended.
    ///
    /// - Throws: `increment_without_base`, `increment_is_whole`, `backup_foreign`, `increment_gap`, `increment_out_of_order`.
    static func check(_ base: BackupManifest, _ increments: [(name: String, manifest: BackupManifest)]) throws(LedgerError) {
        if base.after != nil { throw .incrementWithoutBase }
        var end = RowHeader.Place(position: base.position, chain: base.chain)
        for (name, next) in increments {
            guard let after = next.after else {
                throw LedgerError(
                    code: .init(rawValue: "increment_is_whole"), message: "\(name) is a whole backup and no increment.",
                    remedy: "Restore from it alone, or from it and the increments made since.")
            }
            guard next.ledgerID == base.ledgerID else { throw .foreignBackup("\(name) is of another ledger") }
            if after.position > end.position {
                throw LedgerError(
                    code: .init(rawValue: "increment_gap"),
                    message:
                        "\(name) goes on behind position \(after.position), and what is named before it ends at \(end.position): an increment between them is missing.",
                    remedy: "Name it too, in its place.")
            }
            if after.position < end.position {
                throw LedgerError(
                    code: .init(rawValue: "increment_out_of_order"),
                    message:
                        "\(name) goes on behind position \(after.position), and what is named before it already ends at \(end.position).",
                    remedy: "Name every increment once, oldest first.")
            }
            guard after.chain == end.chain else {
                throw .foreignBackup("\(name) goes on from a log that is another one at position \(end.position)")
            }
            end = RowHeader.Place(position: next.position, chain: next.chain)
        }
    }
}

extension LedgerError {
    static let incrementWithoutBase = LedgerError(
        code: .init(rawValue: "increment_without_base"),
        message: "The backup holds only what came behind an earlier one.",
        remedy: "Name the whole backup first, and the increments in their order, each with --increment.")

    static func foreignBackup(_ what: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "backup_foreign"), message: "The backups do not belong together: \(what).",
            remedy: "Name backups of one ledger; behind a restore make a whole backup before the next increment.")
    }
}
