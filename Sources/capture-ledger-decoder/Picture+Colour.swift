import CVips
import DecoderProtocol
import Glibc

extension Picture {
    /// What lies behind transparent pixels: the grey that a letterbox is padded with, so that nothing becomes a bright edge.
    static let behindTransparency = 114.0

    /// Eight bits a channel and no transparency: what is resized.
    consuming func flattened() throws(Refused) -> Picture {
        var picture = self
        if picture.isSixteenBit {
            picture = picture.isGrey ? try unsafe picture.applying(cv_to_grey) : try unsafe picture.applying(cv_to_srgb)
        }
        if !picture.isBytes { picture = try unsafe picture.applying(cv_to_bytes) }
        if picture.hasAlpha {
            picture = try unsafe picture.applying { unsafe cv_flatten($0, $1, Self.behindTransparency) }
        }
        return picture
    }

    /// sRGB in three bands: CMYK by its profile or by a usual press, RGB by the profile that it brings, grey as R = G = B.
    consuming func inSRGB() throws(Refused) -> Picture {
        var picture = self
        if picture.isCMYK {
            picture = try unsafe picture.applying { unsafe cv_transform($0, $1, "cmyk") }
        } else if picture.bands == 3, picture.hasProfile, !picture.profileIsSRGB {
            picture = try picture.byProfile()
        } else if picture.bands == 1 {
            picture = try unsafe picture.applying(cv_to_srgb)
        }
        if !picture.isBytes { picture = try unsafe picture.applying(cv_to_bytes) }
        guard picture.bands == 3 else { throw Refused(.unreadable, .colour) }
        return picture
    }

    /// The picture itself where its profile does not fit it.
    private consuming func byProfile() throws(Refused) -> Picture {
        do throws(Refused) {
            return try unsafe applying { unsafe cv_transform($0, $1, nil) }
        } catch { return self }
    }

    /// Most profiles are sRGB, and going from sRGB to sRGB only takes time.
    private var profileIsSRGB: Bool { unsafe cv_profile_is_srgb(pointer) != 0 }
}
