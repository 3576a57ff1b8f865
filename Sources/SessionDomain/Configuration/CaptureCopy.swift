/// What a thin client shows for one piece; a missing text stays missing (S8).
public struct CaptureCopy: Codable, Sendable, Hashable {
    public var title: String?, subtitle: String?, eyebrow: String?
    /// On the back page only: replaces the prompt to flip.
    public var flipHint: String?
    public var headerStyle = HeaderStyle.standard

    public enum HeaderStyle: Codable, Sendable, Hashable {
        case standard
        /// `accessory` is an opaque id (S10).
        case titleOnly(accessory: String?)
    }

    public init(title: String? = nil, subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
    }
}

/// Replaces the built-in reminder on both passport pages and the selfie (S9).
public struct FallbackLink: Codable, Sendable, Hashable {
    public var title: String
    public init(title: String) { self.title = title }
}

/// How a client draws progress (S7).
public enum ProgressStyle: Codable, Sendable, Hashable {
    /// Recomputed from the session's own pieces; the numbers given are not used.
    case segments(count: Int, filled: Int)
    /// Served exactly as given.
    case steps(count: Int, filled: Int)
    case fraction
    case hidden
}
