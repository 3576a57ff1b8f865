import CAV
import DecoderProtocol

/// What a frame is to become: the size as shown, and the turn that leads there from the size as stored.
struct VideoSize {
    let width: Int
    let height: Int
    /// Clockwise: 0, 90, 180 or 270 degrees.
    let rotation: Int

    var isSideways: Bool { rotation == 90 || rotation == 270 }
    var storedWidth: Int { isSideways ? height : width }
    var storedHeight: Int { isSideways ? width : height }
}

/// Scales frames to RGB and turns them.
@safe struct VideoScaler: ~Copyable {
    private var context: OpaquePointer?

    init() {}

    deinit { unsafe sws_freeContext(context) }

    mutating func pixels(of frame: UnsafeMutablePointer<AVFrame>, _ size: VideoSize) throws(Refused) -> [UInt8] {
        let (width, height) = (size.storedWidth, size.storedHeight)
        unsafe context = unsafe sws_getCachedContext(
            context, frame.pointee.width, frame.pointee.height, AVPixelFormat(frame.pointee.format), Int32(width),
            Int32(height),
            AV_PIX_FMT_RGB24, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nil, nil, nil)
        guard unsafe context != nil else { throw Refused(.unreadable, .colour) }
        unsafe _ = cav_set_colours(context, frame)
        // libswscale writes whole vectors: rows are longer than they need to be.
        let row = (3 * width + 63) / 64 * 64 + 64
        var scaled = [UInt8](repeating: 0, count: row * (height + 1))
        let lines = unsafe scaled.withUnsafeMutableBufferPointer {
            unsafe cav_scale(context, frame, $0.baseAddress!, Int32(row))
        }
        guard lines == Int32(height) else { throw Refused(.unreadable, .content) }
        return turned(scaled, row: row, size)
    }

    private func turned(_ scaled: [UInt8], row: Int, _ size: VideoSize) -> [UInt8] {
        // Where the first pixel shown is stored, and the steps to its neighbours to the right and below.
        let (lastX, lastY) = (3 * (size.storedWidth - 1), row * (size.storedHeight - 1))
        let (first, right, below) =
            switch size.rotation {
            case 90: (lastY, -row, 3)
            case 180: (lastX + lastY, -3, -row)
            case 270: (lastX, row, -3)
            default: (0, 3, row)
            }
        var pixels = [UInt8](repeating: 0, count: 3 * size.width * size.height)
        var target = 0
        for y in 0..<size.height {
            var source = first + y * below
            for _ in 0..<size.width {
                pixels[target] = scaled[source]
                pixels[target + 1] = scaled[source + 1]
                pixels[target + 2] = scaled[source + 2]
                target += 3
                source += right
            }
        }
        return pixels
    }
}
