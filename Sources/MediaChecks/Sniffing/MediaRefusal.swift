/// Why media could not be taken in. Nothing was queued and no attempt was counted; the bytes are still the caller's.
package struct MediaRefusal: Error, Sendable, Equatable {
    /// One of the codes below; new ones may be added.
    package let code: String
    /// One lower-case word or a few, from a fixed vocabulary of ours and never from the file: a format (`gif`), or the part
    /// of a file that is wrong (`jpeg_scan`).
    package let detail: String?
    /// What is wrong, as one sentence.
    package let message: String
    /// What to do about it, as one sentence.
    package let remedy: String

    /// `code` or `code(detail)`, as reports print it.
    package var label: String { detail.map { "\(code)(\($0))" } ?? code }
}

extension MediaRefusal {
    /// No bytes at all.
    package static let empty = MediaRefusal(
        code: "empty", detail: nil, message: "The file is empty.",
        remedy: "Capture the piece again and make sure that the file was written completely.")

    /// The file ends before its content does; `detail` names the part that is cut.
    package static func truncated(_ part: String) -> MediaRefusal {
        MediaRefusal(
            code: "truncated", detail: part, message: "The file ends before its content does.",
            remedy: "Copy or upload the original again, or capture the piece again.")
    }

    /// The header claims more pixels than the limits allow.
    package static let imageTooLarge = MediaRefusal(
        code: "image_too_large", detail: nil, message: "The picture claims more pixels than are accepted.",
        remedy: "Use a smaller picture, or raise the pixel limit in the configuration.")

    /// The file is longer than its kind may be.
    package static func fileTooLarge(_ type: MediaType) -> MediaRefusal {
        MediaRefusal(
            code: "file_too_large", detail: type.name, message: "The file is larger than is accepted for its kind.",
            remedy: "Use a smaller file, or raise the byte limit in the configuration.")
    }

    /// A format that was recognised, or `unknown`, and is not taken in.
    package static func unsupportedFormat(_ format: String) -> MediaRefusal {
        MediaRefusal(
            code: "unsupported_format", detail: format, message: "The file's format is not supported.",
            remedy: "Use JPEG, PNG, WebP or HEIC for pictures, a one-page PDF for passport pages, MP4 or MOV for videos.")
    }

    /// A supported format that this piece does not take.
    package static func notAllowedForPiece(_ type: MediaType) -> MediaRefusal {
        MediaRefusal(
            code: "not_allowed_for_piece", detail: type.name, message: "This kind of media is not accepted for this piece.",
            remedy: "Send a video for the hologram, a picture for the selfie, a picture or a one-page PDF for a passport page.")
    }

    package static let pdfEncrypted = MediaRefusal(
        code: "pdf_encrypted", detail: nil, message: "The PDF is encrypted.",
        remedy: "Save it again without a password, or send a picture of the page.")

    package static let pdfTooManyPages = MediaRefusal(
        code: "pdf_too_many_pages", detail: nil, message: "The PDF has more than one page.",
        remedy: "Export only the page that is asked for.")

    /// The number of pages cannot be told from the file's structure; `part` names where it stopped making sense.
    package static func pdfPagesUnknown(_ part: String) -> MediaRefusal {
        MediaRefusal(
            code: "pdf_pages_unknown", detail: part, message: "The number of pages of the PDF cannot be told.",
            remedy: "Export the page again as a plain one-page PDF, or send a picture of it.")
    }

    /// The bytes contradict their own format, or the medium could not be read.
    package static func mediaUnreadable(_ part: String) -> MediaRefusal {
        MediaRefusal(
            code: "media_unreadable", detail: part, message: "The file is damaged and cannot be read.",
            remedy: "Capture the piece again.")
    }
}
