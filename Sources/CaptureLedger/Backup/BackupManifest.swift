import Cryptography
import SessionDomain

/// What a backup says of itself, in its last entry: canonical JSON, with a digest over the rest of it.
struct BackupManifest: Equatable {
    static let format = "capture-ledger backup v1"

    let ledgerID: UUID128
    let epoch: UUID128
    /// The last event in it, and the chain there, in hex.
    let position: Int64
    let chain: String
    let schema: Int64
    let createdAtMilliseconds: Int64
    let entries: Int
    /// SHA-256 of the listing, in hex.
    let listing: String

    var bytes: [UInt8] { JSONValue.members(members + [.init("digest", .string(digest))]).canonicalBytes }

    private var digest: String { SHA256.digest(of: JSONValue.members(members).canonicalBytes).hex }

    private var members: [JSONValue.Member] {
        [
            .init("format", .string(Self.format)), .init("ledger_id", .string(ledgerID.text)),
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
        self.init(
            ledgerID: ledgerID, epoch: epoch, position: position, chain: chain, schema: schema, createdAtMilliseconds: created,
            entries: Int(clamping: entries), listing: listing)
        guard bytes == content else { return nil }
    }
}
