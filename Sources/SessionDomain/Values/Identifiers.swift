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
        let units = text.utf8
        guard (1...128).contains(units.count), units.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }
}
