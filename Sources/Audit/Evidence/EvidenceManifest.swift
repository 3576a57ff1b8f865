package import Cryptography
package import SessionDomain

/// What an evidence archive says of itself, in its last entry: canonical JSON, with a digest over the rest of it.
package struct EvidenceManifest: Equatable, Sendable {
    package static let format = "capture-ledger evidence v1"

    package let ledgerID: UUID128
    package let epoch: UUID128
    package let session: UUID128
    package let isRedacted: Bool
    package let exportedAtMilliseconds: Int64
    /// The session's, at its last event here.
    package let version: Int64
    /// How many events there are, those of the ledger's stream included.
    package let events: Int
    package let entries: Int
    /// SHA-256 of the listing.
    package let listing: Digest

    package init(
        ledgerID: UUID128, epoch: UUID128, session: UUID128, isRedacted: Bool, exportedAtMilliseconds: Int64, version: Int64,
        events: Int, entries: Int, listing: Digest
    ) {
        self.ledgerID = ledgerID
        self.epoch = epoch
        self.session = session
        self.isRedacted = isRedacted
        self.exportedAtMilliseconds = exportedAtMilliseconds
        self.version = version
        self.events = events
        self.entries = entries
        self.listing = listing
    }

    package var bytes: [UInt8] { JSONValue.members(members + [.init("digest", .string(digest.hex))]).canonicalBytes }

    /// Over every byte of the archive, by way of the listing.
    package var digest: Digest { SHA256.digest(of: JSONValue.members(members).canonicalBytes) }

    /// What the ledger's key signs. It can be taken for no checkpoint and for no endorsement of a key.
    package var signedText: String { "\(Self.format)\n\(digest.hex)\n" }

    private var members: [JSONValue.Member] {
        [
            .init("format", .string(Self.format)), .init("ledger_id", .string(ledgerID.text)),
            .init("epoch", .string(epoch.text)), .init("session_id", .string(session.text)),
            .init("redacted", .bool(isRedacted)), .init("exported_at_ms", .integer(exportedAtMilliseconds)),
            .init("version", .integer(version)), .init("events", .integer(Int64(events))),
            .init("entries", .integer(Int64(entries))), .init("listing_sha256", .string(listing.hex)),
        ]
    }

    /// nil unless these are exactly the bytes that `bytes` gives.
    package init?(_ content: [UInt8]) {
        guard let json = try? JSONValue.parse(content), let ledgerID = json["ledger_id"]?.asString.flatMap({ UUID128($0) }),
            let epoch = json["epoch"]?.asString.flatMap({ UUID128($0) }),
            let session = json["session_id"]?.asString.flatMap({ UUID128($0) }), let redacted = json["redacted"]?.asBool,
            let exported = json["exported_at_ms"]?.asInteger, let version = json["version"]?.asInteger,
            let events = json["events"]?.asInt, let entries = json["entries"]?.asInt,
            let listing = json["listing_sha256"]?.asString.flatMap({ Digest256(hex: $0) }).flatMap({ Digest($0.bytes) })
        else { return nil }
        self.init(
            ledgerID: ledgerID, epoch: epoch, session: session, isRedacted: redacted, exportedAtMilliseconds: exported,
            version: version, events: events, entries: entries, listing: listing)
        guard bytes == content else { return nil }
    }
}
