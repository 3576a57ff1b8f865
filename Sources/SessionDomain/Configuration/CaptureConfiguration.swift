/// What one session asks for and how; frozen into the session when it starts. Nothing in it is personal.
public struct CaptureConfiguration: Sendable, Hashable {
    /// In the order of capture, each once, at least one (S2).
    public var pieces: [Piece]
    /// Kept and served byte for byte (S3).
    public var flowTitle: String
    /// `host_context` on every analytics event (S4).
    public var analyticsContext: String?
    public var showsBack = false, allowUploadFromDevice = false
    public var progress = ProgressStyle.hidden
    public var passportChecks = PassportChecks.standard, selfieChecks = SelfieChecks.standard
    /// nil: uploads follow the live rules (S55).
    public var selfieUploadChecks: SelfieChecks?
    public var copy: [Piece: CaptureCopy] = [:]
    public var fallbackLink: FallbackLink?

    /// Confirms a capture without a review step (S11).
    public var autoConfirm = false
    /// nil: required where a model runner is configured when the session starts, else off.
    public var checks: ChecksMode?
    public var ordering = DeliveryOrder.independent
    /// From the start of the session; nil: it never expires.
    public var deadlineMilliseconds: Int64?
    /// Names of destinations that replace the usual ones.
    public var destinations: [Piece: String] = [:]
    public var hologramSettings = HologramSettings()
    /// Needed when `pieces` holds the hologram (S89).
    public var hologramCardType: HologramCardType?
    public var hologramMediaRule = HologramMediaRule.untilAnswered
    /// A score below it is a rejection; nil: every score is accepted (S79).
    public var hologramPassMark: Double?

    public init(pieces: [Piece], flowTitle: String, analyticsContext: String? = nil) {
        self.pieces = pieces
        self.flowTitle = flowTitle
        self.analyticsContext = analyticsContext
    }
}

extension CaptureConfiguration {
    /// Whether a client shows the built-in reminder on that piece: on both passport pages and the selfie, unless a fallback link
    /// stands there instead (S68).
    public func offersReminder(on piece: Piece) -> Bool {
        fallbackLink == nil && piece != .hologram && pieces.contains(piece)
    }

    /// Where a confirmed capture of `piece` goes.
    package func destination(of piece: Piece) -> String {
        destinations[piece] ?? (piece == .hologram ? "hologram" : "verifier")
    }
}

extension CaptureConfiguration: Codable {
    public init(from decoder: any Decoder) throws { try self.init(json: JSONValue(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A configuration that sessions share: one allocation however many hold it.
package final class FrozenConfiguration: Sendable, Hashable {
    package let value: CaptureConfiguration
    /// The canonical JSON that is interned by its digest.
    package let canonicalJSON: String

    package init(_ value: CaptureConfiguration) {
        self.value = value
        canonicalJSON = value.json.canonical
    }

    package static func == (left: FrozenConfiguration, right: FrozenConfiguration) -> Bool {
        left === right || left.value == right.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
