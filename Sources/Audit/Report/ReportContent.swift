package import SessionDomain

/// What the report of a session shows and is needed at once. Events, deliveries and pictures are not in it: they are asked for one after
/// the other, so that a page about very many of them takes no more memory.
package struct ReportContent: Sendable {
    /// Where a capture's events stand in the log.
    package struct Capture: Sendable {
        package let position: Int64
        package internal(set) var judgements: [Int64] = []
    }

    /// What there is to know about all events before the first one is shown.
    package struct Outline: Sendable {
        package private(set) var events = 0
        package private(set) var firstAtMilliseconds: Int64?
        /// Of the session's own events.
        package private(set) var lastAtMilliseconds: Int64?
        package private(set) var lastVersion: Int64 = 0
        /// The event that began the session.
        package private(set) var start: Event?
        package private(set) var captures: [Capture] = []
        private var places: [UUID128: Int] = [:]

        package init() {}

        /// Takes the next event into account.
        package mutating func add(_ event: Event, of session: UUID128) {
            let record = event.record
            events += 1
            if events == 1 { firstAtMilliseconds = record.recordedAtMilliseconds }
            if record.session == session {
                lastAtMilliseconds = record.recordedAtMilliseconds
                lastVersion = record.version
            }
            if record.type == .sessionStarted, start == nil { start = event }
            guard let capture = record.captureID else { return }
            if record.original != nil {
                places[capture] = captures.count
                captures.append(Capture(position: record.position))
            } else if record.type == .pieceChecked, let place = places[capture] {
                captures[place].judgements.append(record.position)
            }
        }
    }

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
    package let outline: Outline
    package let leftOut: [LeftOut]
    package let proof: Proof?

    package init(
        session: UUID128, ledger: UUID128, exportedAtMilliseconds: Int64, isRedacted: Bool, isErased: Bool, status: String,
        context: String?, pieces: [Piece], outline: Outline, leftOut: [LeftOut], proof: Proof?
    ) {
        self.session = session
        self.ledger = ledger
        self.exportedAtMilliseconds = exportedAtMilliseconds
        self.isRedacted = isRedacted
        self.isErased = isErased
        self.status = status
        self.context = context
        self.pieces = pieces
        self.outline = outline
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

/// What a report asks for while it is written.
package struct ReportSource<Failure: Error> {
    /// Hands over every event, in order.
    package let forEachEvent: ((ReportContent.Event) throws(Failure) -> Void) throws(Failure) -> Void
    /// The session's event at a position.
    package let event: (_ position: Int64) throws(Failure) -> ReportContent.Event?
    package let deliveries: (_ capture: UUID128) throws(Failure) -> [ReportContent.Delivery]
    /// Of an original or a page, in a size for print; none for what is not shown.
    package let pictures: (EventRecord.NamedMedia, _ of: EventRecord) throws(Failure) -> [ReportPicture]

    package init(
        forEachEvent: @escaping ((ReportContent.Event) throws(Failure) -> Void) throws(Failure) -> Void,
        event: @escaping (_ position: Int64) throws(Failure) -> ReportContent.Event?,
        deliveries: @escaping (_ capture: UUID128) throws(Failure) -> [ReportContent.Delivery],
        pictures: @escaping (EventRecord.NamedMedia, _ of: EventRecord) throws(Failure) -> [ReportPicture]
    ) {
        self.forEachEvent = forEachEvent
        self.event = event
        self.deliveries = deliveries
        self.pictures = pictures
    }
}
