package import SessionDomain

/// Looks at media before it is taken in: type from the bytes, size, orientation, completeness. Headers are parsed; nothing is
/// decoded, memory does not grow with the file, and a video is walked by seeking from box to box.
package enum MediaSniffer {
    /// What the media is, or why it is not taken in.
    ///
    /// - Parameters:
    ///   - piece: passport pages take pictures and one-page PDFs, a selfie takes pictures, a hologram takes videos.
    ///   - declaredType: what the client said; a wrong claim becomes a flag, it is never believed.
    /// - Throws: a ``MediaRefusal``. Nothing has been written then and the source is as it was.
    package static func sniff(
        _ source: some ByteSource, for piece: Piece, declaredType: String?, limits: MediaLimits = .standard
    ) throws(MediaRefusal) -> SniffedMedia {
        let size = source.size
        guard size > 0 else { throw .empty }
        var reader = ByteReader(source, part: "header")
        let type: MediaType
        switch try FormatSignature.recognise(&reader) {
        case .supported(let found): type = found
        case .unsupported(let name): throw .unsupportedFormat(name)
        case .zeros: throw .mediaUnreadable("all_zero")
        }
        guard accepts(type, for: piece) else { throw .notAllowedForPiece(type) }
        guard size <= (type.isVideo ? limits.maxVideoBytes : limits.maxImageBytes) else { throw .fileTooLarge(type) }
        var media = try parse(type, &reader, limits)
        media.bytes = size
        if let declaredType, !type.agrees(withDeclared: declaredType) { media.flag(.declaredTypeDiffers) }
        return media
    }

    /// Whether this kind of media can be a capture of the piece.
    package static func accepts(_ type: MediaType, for piece: Piece) -> Bool {
        switch piece {
        case .passportFront, .passportBack: !type.isVideo
        case .selfie: !type.isVideo && type != .pdf
        case .hologram: type.isVideo
        }
    }

    private static func parse(
        _ type: MediaType, _ reader: inout ByteReader, _ limits: MediaLimits
    ) throws(MediaRefusal) -> SniffedMedia {
        switch type {
        case .jpeg: try JPEGHeader.parse(&reader, limits)
        case .png: try PNGHeader.parse(&reader, limits)
        case .webp: try WebPHeader.parse(&reader, limits)
        case .heic: try HEICHeader.parse(&reader, limits)
        case .pdf: try PDFHeader.parse(&reader)
        case .mp4, .mov: try MovieHeader.parse(&reader, type, limits)
        }
    }
}

extension MediaLimits {
    /// Refuses a claimed size that is empty or over the limits.
    func check(width: Int, height: Int, part: String) throws(MediaRefusal) {
        guard width > 0, height > 0 else { throw .mediaUnreadable(part) }
        guard width <= maxDimension, height <= maxDimension, Int64(width) * Int64(height) <= maxPixels else {
            throw .imageTooLarge
        }
    }
}
