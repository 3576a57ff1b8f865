/// A rectangle in fractions of a picture's width and height, origin at the top left.
public struct NormalizedRect: Codable, Sendable, Hashable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Where the fields of a passport page lie, normalised to the captured crop; absent stays absent (S52).
public struct FieldDetections: Codable, Sendable, Hashable {
    public var photo, signature, mrz: NormalizedRect?

    public init(photo: NormalizedRect? = nil, signature: NormalizedRect? = nil, mrz: NormalizedRect? = nil) {
        self.photo = photo
        self.signature = signature
        self.mrz = mrz
    }
}
