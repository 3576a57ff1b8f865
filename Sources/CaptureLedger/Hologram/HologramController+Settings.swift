public import SessionDomain
import Synchronization

/// The seed's eight settings, for every session that is started in this process with a hologram and without settings of its own (S71).
// swift-format-ignore: AlwaysUseLowerCamelCase
extension HologramController {
    private static let shared = Mutex(HologramSettings())

    /// All eight at once.
    public static var settings: HologramSettings {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// No recording before the card is detected (S87).
    public static var USE_CARD_DETECTION: Bool {
        get { settings.useCardDetection }
        set { shared.withLock { $0.useCardDetection = newValue } }
    }

    /// On-device checks run only while this is on (S83).
    public static var HOLOGRAM_CONTROL_ENABLED: Bool {
        get { settings.hologramControlEnabled }
        set { shared.withLock { $0.hologramControlEnabled = newValue } }
    }

    /// The document's photo must be visible during the recording (S75).
    public static var CONTROL_FACE_CAPTURE: Bool {
        get { settings.controlFaceCapture }
        set { shared.withLock { $0.controlFaceCapture = newValue } }
    }

    /// Cancels the recording when the document leaves the frame (S74).
    public static var STOP_VIDEO_WHILE_RECORDING: Bool {
        get { settings.stopVideoWhileRecording }
        set { shared.withLock { $0.stopVideoWhileRecording = newValue } }
    }

    /// Size of the frame hint.
    public static var HINT_DISPLAY_RATIO: Double {
        get { settings.hintDisplayRatio }
        set { shared.withLock { $0.hintDisplayRatio = newValue } }
    }

    /// Margin around the hint.
    public static var MARGIN_RATIO: Double {
        get { settings.marginRatio }
        set { shared.withLock { $0.marginRatio = newValue } }
    }

    /// `#RRGGBB` or `#RRGGBBAA`.
    public static var OUTSIDE_OF_HINT_COLOR: String {
        get { settings.outsideOfHintColor }
        set { shared.withLock { $0.outsideOfHintColor = newValue } }
    }

    public static var IS_TRADEMARK_LOGO_ON: Bool {
        get { settings.isTrademarkLogoOn }
        set { shared.withLock { $0.isTrademarkLogoOn = newValue } }
    }
}
