import CVips
import DecoderProtocol

/// An image of libvips, let go when it goes out of scope. Nothing is computed before pixels are asked for.
@safe struct Picture: ~Copyable {
    typealias Pointer = UnsafeMutablePointer<VipsImage>

    let pointer: Pointer

    /// What `make` puts there.
    init(_ make: (UnsafeMutablePointer<Pointer?>) -> Int32) throws(Refused) {
        var made: Pointer?
        let code = unsafe make(&made)
        guard code == 0, let made = unsafe made else { throw Self.failure() }
        unsafe pointer = unsafe made
    }

    deinit { unsafe cv_unref(pointer) }

    var width: Int { unsafe Int(vips_image_get_width(pointer)) }
    var height: Int { unsafe Int(vips_image_get_height(pointer)) }
    var bands: Int { unsafe Int(vips_image_get_bands(pointer)) }
    var hasAlpha: Bool { unsafe vips_image_hasalpha(pointer) != 0 }
    var isBytes: Bool { unsafe vips_image_get_format(pointer) == VIPS_FORMAT_UCHAR }
    var isSixteenBit: Bool { unsafe vips_image_get_format(pointer) == VIPS_FORMAT_USHORT }
    var isGrey: Bool { bands <= 2 }
    var isCMYK: Bool { unsafe vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_CMYK }
    var hasProfile: Bool { unsafe cv_has_profile(pointer) != 0 }

    /// What an operation makes of this one, which lives until it has.
    borrowing func applying(
        _ operation: (Pointer, UnsafeMutablePointer<Pointer?>) -> Int32
    ) throws(Refused) -> Picture {
        let pointer = unsafe pointer
        return try unsafe Picture { unsafe operation(pointer, $0) }
    }

    /// What libvips said last, as a refusal. Its text is looked at, never passed on: it may quote the file.
    static func failure(_ otherwise: DecoderMessage.Part = .content) -> Refused {
        let text = unsafe String(cString: vips_error_buffer()).lowercased()
        vips_error_clear()
        if text.contains("premature end") || text.contains("truncated") || text.contains("end of file") {
            return Refused(.truncated, .content)
        }
        if text.contains("out of memory") || text.contains("allocat") { return Refused(.limits, .memory) }
        return Refused(.unreadable, otherwise)
    }
}
