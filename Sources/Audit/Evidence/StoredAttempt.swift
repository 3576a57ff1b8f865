package import Cryptography
package import SessionDomain

/// One request of a delivery, as the canonical bytes of its row give it. An outcome's event names the digest of these bytes.
package struct StoredAttempt: Sendable {
    static let columns = 19
    private static let names = [
        "delivery_id", "number", "fence", "destination", "kind", "started_at_ms", "finished_at_ms", "certainty", "curl_code",
        "status", "bytes_sent", "bytes_received", "explanation", "action", "retry_after_ms", "next_attempt_at_ms",
        "table_version", "evidence_id", "evidence_digest",
    ]

    package let row: [UInt8]
    package let deliveryID: UUID128
    package let evidenceID: UUID128?
    package let evidenceDigest: Digest?
    private let cells: CanonicalRow

    /// nil when the bytes are no attempt's.
    package init?(row: [UInt8]) {
        guard let cells = CanonicalRow(row, columns: Self.columns), let delivery = cells.blob(0).flatMap({ UUID128(bytes: $0) })
        else { return nil }
        self.row = row
        self.cells = cells
        deliveryID = delivery
        evidenceID = cells.blob(17).flatMap { UUID128(bytes: $0) }
        evidenceDigest = cells.blob(18).flatMap { Digest($0) }
    }

    package var digest: Digest { SHA256.digest(of: row) }

    package var number: Int64 { cells.integer(1) ?? 0 }
    package var destination: String { cells.text(3) ?? "" }
    package var startedAtMilliseconds: Int64 { cells.integer(5) ?? 0 }
    package var finishedAtMilliseconds: Int64 { cells.integer(6) ?? 0 }
    package var status: Int64 { cells.integer(9) ?? 0 }
    package var bytesSent: Int64 { cells.integer(10) ?? 0 }
    package var explanation: String { cells.text(12) ?? "" }
    package var action: String { cells.text(13) ?? "" }

    /// Every column, identifiers and digests as text.
    package var json: JSONValue {
        var members: [JSONValue.Member] = []
        for (index, name) in Self.names.enumerated() {
            switch cells.cells[index] {
            case .null: continue
            case .integer(let value): members.append(.init(name, .integer(value)))
            case .text(let value): members.append(.init(name, .string(value)))
            case .blob(let value):
                members.append(.init(name, .string(UUID128(bytes: value)?.text ?? Digest(value)?.hex ?? "")))
            }
        }
        return .members(members)
    }
}
