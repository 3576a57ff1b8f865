package import SessionDomain

/// What the retention rules took, or would take.
package struct PurgeReport: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let session: SessionID
        package let capture: CaptureID
        package let piece: Piece
        package let status: RetentionRule.Status
        package let bytes: Int64
        /// What its event said of it; stays.
        let commitment: Digest256
    }

    package struct Group: Sendable, Hashable {
        package let piece: Piece
        package let status: RetentionRule.Status
    }

    /// As many as are listed one by one; the figures count all.
    package static let listed = 1_000

    package let isDry: Bool
    package private(set) var count = 0
    package private(set) var bytes: Int64 = 0
    package private(set) var groups: [Group: (count: Int, bytes: Int64)] = [:]
    package private(set) var items: [Item] = []
    /// Sessions that were looked at.
    package internal(set) var sessions = 0
    /// What crashes left and no event names, or an event says is gone; removed too.
    package internal(set) var findings: [DoctorReport.Finding] = []

    package init(isDry: Bool) { self.isDry = isDry }

    mutating func add(_ item: Item) {
        count += 1
        bytes += item.bytes
        let group = Group(piece: item.piece, status: item.status)
        let known = groups[group] ?? (0, 0)
        groups[group] = (known.count + 1, known.bytes + item.bytes)
        if items.count < Self.listed { items.append(item) }
    }

    package static func == (one: PurgeReport, other: PurgeReport) -> Bool {
        one.isDry == other.isDry && one.count == other.count && one.bytes == other.bytes && one.items == other.items
            && one.findings == other.findings
    }
}
