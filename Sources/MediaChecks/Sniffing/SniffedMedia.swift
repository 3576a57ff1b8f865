/// What the bytes of accepted media say about themselves.
package struct SniffedMedia: Sendable, Equatable {
    /// From the bytes, whatever was declared.
    package var type: MediaType
    /// Length of the file in bytes.
    package var bytes: Int64
    /// Upright size, after orientation or rotation: pixels, or PDF points rounded up.
    package var width: Int
    package var height: Int
    /// Size as stored, before orientation or rotation.
    package var storedWidth: Int
    package var storedHeight: Int
    /// EXIF orientation 1 to 8; 1 where the file says nothing, 1 for documents and videos.
    package var orientation: Int = 1
    /// Number of pages of a document.
    package var pages: Int?
    /// Length of a video in milliseconds; nil where the header does not say.
    package var durationMilliseconds: Int64?
    /// Clockwise degrees (0, 90, 180, 270) a video or a page asks to be turned by.
    package var rotation: Int?
    /// Sorted, without repeats; see ``Flag``.
    package var flags: [String] = []

    /// Things worth recording that are no reason to refuse.
    package enum Flag: String, Sendable, CaseIterable {
        /// The client declared another type than the bytes are.
        case declaredTypeDiffers = "declared_type_differs"
        /// A JPEG whose picture is complete and whose last two bytes are missing.
        case missingEndMarker = "missing_end_marker"
        /// Bytes after the end of the content, which no decoder looks at.
        case trailingData = "trailing_data"
        /// An orientation outside 1 to 8, read as 1.
        case orientationInvalid = "orientation_invalid"
        case grey
        case cmyk
        case progressive
        /// A picture that also holds an animation; its first frame is the picture.
        case animated
        /// A video in fragments, whose header need not know its length.
        case fragmented
        /// The client asked for a rotation that is no quarter turn; it is passed on as it is.
        case unusualRotation = "unusual_rotation"
        /// A video matrix that is not a rotation by quarter turns, read as 0.
        case unusualMatrix = "unusual_matrix"
    }

    init(type: MediaType, width: Int, height: Int) {
        self.type = type
        self.bytes = 0
        self.width = width
        self.height = height
        self.storedWidth = width
        self.storedHeight = height
    }

    /// Sets the orientation and turns the upright size with it.
    mutating func orient(_ value: Int) {
        orientation = value
        let swapped = value >= 5
        width = swapped ? storedHeight : storedWidth
        height = swapped ? storedWidth : storedHeight
    }

    /// Sets the rotation in degrees and turns the upright size with it.
    mutating func rotate(_ degrees: Int) {
        rotation = degrees
        let swapped = degrees == 90 || degrees == 270
        width = swapped ? storedHeight : storedWidth
        height = swapped ? storedWidth : storedHeight
    }

    /// Flags a client's rotation that is not 0, 90, 180 or 270 degrees. It is still accepted and passed on as it is.
    package mutating func note(rotationAskedFor degrees: Int) {
        if ![0, 90, 180, 270].contains(degrees) { flag(.unusualRotation) }
    }

    mutating func flag(_ flag: Flag) {
        guard !flags.contains(flag.rawValue) else { return }
        flags.append(flag.rawValue)
        flags.sort()
    }

    package func has(_ flag: Flag) -> Bool { flags.contains(flag.rawValue) }
}
