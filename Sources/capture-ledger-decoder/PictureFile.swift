import CVips
import DecoderProtocol
import Glibc

/// The picture's bytes in the sealed file, and how they are opened.
@safe struct PictureFile {
    /// Content that ends early is an error: libvips would fill it up with grey.
    private static let failOn = VIPS_FAIL_ON_TRUNCATED

    let bytes: UnsafeRawBufferPointer
    let format: DecoderMessage.Format
    let dotsAnInch: Double

    /// Maps descriptor `number`; nil when that fails.
    init?(mapping number: Int32, count: Int, format: DecoderMessage.Format, dotsAnInch: Double) {
        guard count > 0, let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, number, 0), unsafe start != MAP_FAILED
        else {
            return nil
        }
        unsafe bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        self.format = format
        self.dotsAnInch = dotsAnInch
    }

    /// - Parameter shrink: 1, 2, 4 or 8: JPEG is decoded that much smaller; other formats take no notice.
    func open(shrink: Int) throws(Refused) -> Picture {
        let (start, count) = unsafe (bytes.baseAddress, bytes.count)
        do throws(Refused) {
            return try unsafe Picture { out in
                switch format {
                case .jpeg: unsafe cv_load_jpeg(start, count, Int32(shrink), Self.failOn, out)
                case .png: unsafe cv_load_png(start, count, Self.failOn, out)
                case .webp: unsafe cv_load_webp(start, count, Self.failOn, out)
                case .heic: unsafe cv_load_heic(start, count, Self.failOn, out)
                case .pdf: unsafe cv_load_pdf(start, count, dotsAnInch, Self.failOn, out)
                }
            }
        } catch {
            throw Refused(error.refusal, error.part == .content ? .header : error.part)
        }
    }
}
