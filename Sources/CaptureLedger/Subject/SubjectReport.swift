package import Outbox
package import SessionDomain

/// What a ledger holds about one person, for whoever asks for it: a subject-access request. It holds personal data in the clear.
package struct SubjectReport: Sendable {
    package struct Capture: Sendable {
        package let facts: PieceCaptured
        package let capturedAtMilliseconds: Int64
        /// The sealed original is still there.
        package let hasOriginal: Bool
        package let destroyedAtMilliseconds: Int64?
        /// A code, such as `answered`.
        package let destructionCause: String?
        /// What the checks said of it, each time.
        package let judgements: [(checked: PieceChecked, atMilliseconds: Int64)]
    }

    /// The private half of one event.
    package struct Opened: Sendable {
        package let position: Int64
        package let type: String
        package let recordedAtMilliseconds: Int64
        package let content: JSONValue
    }

    package struct Part: Sendable {
        package let view: SessionView
        package let captures: [Capture]
        /// nothing where the key is destroyed or about to be.
        package let opened: [Opened]
        /// Private halves that did not open.
        package let sealed: Int
        package let recipients: [Recipient]
        package let deliveries: [DeliveryRow]
        /// Answers of endpoints that are kept, sealed.
        package let answers: Int
        package let erasure: ErasureWindow?
        package let events: Int

        package var isErased: Bool { view.flow.status == .erased }
    }

    /// As it was asked for; nil when one session was named.
    package let reference: String?
    package let madeAtMilliseconds: Int64
    package let ledgerID: UUID128
    package let lastPosition: Int64
    /// In the order in which they began.
    package let parts: [Part]
    package let retention: [RetentionRule]
}

extension SubjectReport.Part {
    /// What is still there after an erasure, in words; nil for a session that was not erased.
    package var remains: String? {
        if isErased {
            return
                "This session was erased. \(events) events remain, with times, types, codes and measured values and nothing that says whom they are about; its key is destroyed, so what was sealed cannot be opened by anybody."
        }
        guard erasure != nil else { return nil }
        return
            "The erasure of this session was asked for: nothing private of it is opened any more, and it is destroyed when the time comes."
    }
}
