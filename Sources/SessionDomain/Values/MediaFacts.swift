/// What is known about a capture's media without opening it; nothing of it is personal.
package struct MediaFacts: Hashable, Sendable {
    /// A media type such as `image/jpeg`, found in the bytes.
    package let type: String
    package let bytes: Int64
    /// Upright size in pixels, or points for a document.
    package let width: Int
    package let height: Int
    /// EXIF orientation 1 to 8.
    package let orientation: Int
    /// Things worth recording that are no reason to refuse, such as `missing_end_marker`; sorted.
    package let flags: [String]

    package init(type: String, bytes: Int64, width: Int, height: Int, orientation: Int, flags: [String]) {
        self.type = type
        self.bytes = bytes
        self.width = width
        self.height = height
        self.orientation = orientation
        self.flags = flags
    }

    /// With one flag more, once.
    func flagged(_ flag: String) -> MediaFacts {
        guard !flags.contains(flag) else { return self }
        return MediaFacts(
            type: type, bytes: bytes, width: width, height: height, orientation: orientation, flags: (flags + [flag]).sorted())
    }
}

/// A number that the client measured and vouches for, such as a phone's tilt.
package struct Measurement: Hashable, Sendable {
    package let metric: String
    package let value: Double

    package init(metric: String, value: Double) {
        self.metric = metric
        self.value = value
    }
}
