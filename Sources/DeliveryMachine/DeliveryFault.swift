/// What went wrong at a seam of delivery, in words for a person; never a payload, an address's query, a header's value or a
/// name of a person.
package struct DeliveryFault: Error, Hashable, Sendable {
    /// An open set: a new code never breaks a `switch`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// Another worker settled or took over this claim; what this one knows about it is out of date.
        package static let staleFence = Self(rawValue: "stale_fence")
        /// A delivery's frozen bytes would be replaced by others.
        package static let bodyChanged = Self(rawValue: "body_changed")
        /// Our own media cannot be opened, or it is not what was sealed.
        package static let mediaUnreadable = Self(rawValue: "media_unreadable")
        /// Our own media cannot be reached at present (the disk, descriptors, permissions): nothing is known to be wrong with it.
        package static let mediaUnavailable = Self(rawValue: "media_unavailable")
        /// Our own media is gone on purpose (purged, erased, expired).
        package static let mediaGone = Self(rawValue: "media_gone")
        /// An answer could not be archived.
        package static let evidenceUnavailable = Self(rawValue: "evidence_unavailable")
        /// The credential of a destination cannot be had.
        package static let credentialUnavailable = Self(rawValue: "credential_unavailable")
        /// libcurl itself could not be used.
        package static let transportUnavailable = Self(rawValue: "transport_unavailable")
        /// This side ended the transfer: a deadline or a signal.
        package static let stopped = Self(rawValue: "stopped")
        /// An answer was longer than the destination's limit.
        package static let answerTooLong = Self(rawValue: "answer_too_long")
        /// The address is private or unprotected, and not allowed by name.
        package static let addressRefused = Self(rawValue: "address_refused")
        /// The TLS handshake failed for a cause that only a person can remove.
        package static let untrusted = Self(rawValue: "endpoint_untrusted")
        /// A destination's settings make no sense.
        package static let configuration = Self(rawValue: "configuration")
    }

    package let code: Code
    package let message: String
    package let remedy: String

    package init(_ code: Code, message: String, remedy: String) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
