package import SessionDomain

/// What the report of a session shows. Pictures are not in it: they are asked for one after the other.
package struct ReportContent: Sendable {
    package struct Event: Sendable {
        package let record: EventRecord
        package let privateHalf: PrivateHalf

        package init(_ record: EventRecord, _ privateHalf: PrivateHalf) {
            self.record = record
            self.privateHalf = privateHalf
        }
    }

    package struct Delivery: Sendable {
        package let id: UUID128
        package let capture: UUID128
        package let destination: String
        package let status: String
        package let cause: String?
        package let attempts: [StoredAttempt]
        /// What was answered, as far as it is text, by evidence id.
        package let answers: [UUID128: String]

        package init(
            id: UUID128, capture: UUID128, destination: String, status: String, cause: String?, attempts: [StoredAttempt],
            answers: [UUID128: String]
        ) {
            self.id = id
            self.capture = capture
            self.destination = destination
            self.status = status
            self.cause = cause
            self.attempts = attempts
            self.answers = answers
        }
    }

    package struct Piece: Sendable {
        package let name: String
        package let status: String
        package let captures: Int

        package init(name: String, status: String, captures: Int) {
            self.name = name
            self.status = status
            self.captures = captures
        }
    }

    package struct Proof: Sendable {
        /// The signed note.
        package let note: String
        package let treeSize: Int64
        package let root: String
        /// As verifiers are given it.
        package let key: String

        package init(note: String, treeSize: Int64, root: String, key: String) {
            self.note = note
            self.treeSize = treeSize
            self.root = root
            self.key = key
        }
    }

    package struct LeftOut: Sendable {
        package let entry: String
        package let why: String

        package init(entry: String, why: String) {
            self.entry = entry
            self.why = why
        }
    }

    package let session: UUID128
    package let ledger: UUID128
    package let exportedAtMilliseconds: Int64
    package let isRedacted: Bool
    package let isErased: Bool
    package let status: String
    package let context: String?
    package let pieces: [Piece]
    package let events: [Event]
    package let deliveries: [Delivery]
    package let leftOut: [LeftOut]
    package let proof: Proof?

    package init(
        session: UUID128, ledger: UUID128, exportedAtMilliseconds: Int64, isRedacted: Bool, isErased: Bool, status: String,
        context: String?, pieces: [Piece], events: [Event], deliveries: [Delivery], leftOut: [LeftOut], proof: Proof?
    ) {
        self.session = session
        self.ledger = ledger
        self.exportedAtMilliseconds = exportedAtMilliseconds
        self.isRedacted = isRedacted
        self.isErased = isErased
        self.status = status
        self.context = context
        self.pieces = pieces
        self.events = events
        self.deliveries = deliveries
        self.leftOut = leftOut
        self.proof = proof
    }
}

/// A picture in a size for print.
package struct ReportPicture: Sendable {
    /// `image/jpeg`, `image/png` or `image/webp`.
    package let type: String
    package let bytes: [UInt8]
    package let caption: String

    package init(type: String, bytes: [UInt8], caption: String) {
        self.type = type
        self.bytes = bytes
        self.caption = caption
    }
}
