/// Where a capture's media came from.
public enum CaptureSource: String, Codable, Sendable, CaseIterable { case camera, gallery, file }

extension CaptureSource {
    /// Fixed for ever: it is what a stored event says.
    package var code: Int {
        switch self {
        case .camera: 1
        case .gallery: 2
        case .file: 3
        }
    }

    package init?(code: Int) {
        switch code {
        case 1: self = .camera
        case 2: self = .gallery
        case 3: self = .file
        default: return nil
        }
    }

    /// Brought from the device instead of being taken now.
    package var isUpload: Bool { self != .camera }
}
