/// A kind of media that can be taken in; the raw value is its Internet media type.
package enum MediaType: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case heic = "image/heic"
    case pdf = "application/pdf"
    case mp4 = "video/mp4"
    case mov = "video/quicktime"

    /// One word for reports: `jpeg`, `pdf`, `mov`.
    package var name: String {
        switch self {
        case .jpeg: "jpeg"
        case .png: "png"
        case .webp: "webp"
        case .heic: "heic"
        case .pdf: "pdf"
        case .mp4: "mp4"
        case .mov: "mov"
        }
    }

    package var isVideo: Bool { self == .mp4 || self == .mov }

    /// Whether a client that declared `type` told the truth: letter case, parameters and the usual aliases are forgiven, and
    /// a declaration that says nothing (`application/octet-stream`) is no lie.
    package func agrees(withDeclared type: String) -> Bool {
        var units: [UInt8] = []
        for unit in type.utf8 {
            if unit == UInt8(ascii: ";") || units.count > 64 { break }
            if unit == UInt8(ascii: " ") || unit == UInt8(ascii: "\t") { continue }
            units.append((0x41...0x5A).contains(unit) ? unit | 0x20 : unit)
        }
        let declared = String(decoding: units, as: UTF8.self)
        if declared == rawValue || declared.isEmpty || declared == "application/octet-stream" { return true }
        switch self {
        case .jpeg: return declared == "image/jpg" || declared == "image/pjpeg"
        case .heic: return declared == "image/heif"
        case .mp4: return declared == "video/x-m4v" || declared == "video/3gpp"
        case .pdf: return declared == "application/x-pdf"
        case .png, .webp, .mov: return false
        }
    }
}
