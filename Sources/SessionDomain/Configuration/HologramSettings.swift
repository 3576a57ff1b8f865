/// What the hologram is checked on; the raw value is what the endpoint is told (S70).
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum HologramCardType: String, Codable, Sendable, CaseIterable {
    case NEW_TC_ID = "NEW-ID"
    case DRIVER_LICENSE = "NEW-DRIVER"
    case INTERNATIONAL_ID = "INTERNATIONAL"
}

extension HologramCardType {
    /// By the name of the case or by what the endpoint is told; nil for anything else.
    package init?(named text: String) {
        switch text {
        case "NEW_TC_ID", "NEW-ID": self = .NEW_TC_ID
        case "DRIVER_LICENSE", "NEW-DRIVER": self = .DRIVER_LICENSE
        case "INTERNATIONAL_ID", "INTERNATIONAL": self = .INTERNATIONAL_ID
        default: return nil
        }
    }

    package var name: String {
        switch self {
        case .NEW_TC_ID: "NEW_TC_ID"
        case .DRIVER_LICENSE: "DRIVER_LICENSE"
        case .INTERNATIONAL_ID: "INTERNATIONAL_ID"
        }
    }
}

/// The eight settings of the hologram controller (S71).
public struct HologramSettings: Codable, Sendable, Hashable {
    /// No recording before the card is detected (S87).
    public var useCardDetection = false
    /// On-device checks run only while this is on (S83).
    public var hologramControlEnabled = false
    /// The document's photo must have been seen during the recording (S75).
    public var controlFaceCapture = false
    /// The recording is cancelled when the document leaves the frame (S74).
    public var stopVideoWhileRecording = false
    public var hintDisplayRatio = 1.5
    public var marginRatio = 0.2
    /// `#RRGGBB` or `#RRGGBBAA`.
    public var outsideOfHintColor = "#00000080"
    public var isTrademarkLogoOn = false

    public init() {}
}

/// When a hologram video is destroyed (S80).
public enum HologramMediaRule: String, Codable, Sendable, CaseIterable {
    /// Once its answer is durably recorded.
    case untilAnswered = "until_answered"
    /// After its last byte was handed to the endpoint.
    case strict
}

/// In which order a session's captures are delivered.
public enum DeliveryOrder: String, Codable, Sendable, CaseIterable {
    /// List order; a rejection or a parked delivery unblocks.
    case strict
    case independent
}
