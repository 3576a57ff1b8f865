/// An identity-capture session.
package struct SessionID: Hashable, Sendable {
    package let uuid: UUID128
    package init(_ uuid: UUID128) { self.uuid = uuid }
    package init?(_ text: String) {
        guard let uuid = UUID128(text) else { return nil }
        self.uuid = uuid
    }
    package var text: String { uuid.text }
}

/// One attempt at a piece, with its media.
package struct CaptureID: Hashable, Sendable {
    package let uuid: UUID128
    package init(_ uuid: UUID128) { self.uuid = uuid }
    package init?(_ text: String) {
        guard let uuid = UUID128(text) else { return nil }
        self.uuid = uuid
    }
    package var text: String { uuid.text }
}

/// A picture that was made of a capture's media, sealed beside it.
package struct CropID: Hashable, Sendable {
    package let uuid: UUID128
    package init(_ uuid: UUID128) { self.uuid = uuid }
    package var text: String { uuid.text }
}

/// One capture on its way to one destination; also the idempotency key of its requests.
package struct DeliveryID: Hashable, Sendable {
    package let uuid: UUID128
    package init(_ uuid: UUID128) { self.uuid = uuid }
    package init?(_ text: String) {
        guard let uuid = UUID128(text) else { return nil }
        self.uuid = uuid
    }
    package var text: String { uuid.text }
}

/// A client's name for one command, unique within its session: 1 to 128 visible ASCII characters, nothing personal.
package struct CommandID: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        let units = text.utf8.span
        guard (1...128).contains(units.count) else { return nil }
        for index in units.indices {
            guard units[index] >= 0x21, units[index] <= 0x7E else { return nil }
        }
        self.text = text
    }

    /// The text of an identifier is a command's id as it is.
    package init(_ uuid: UUID128) { text = uuid.text }
}
