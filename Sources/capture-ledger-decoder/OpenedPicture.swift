import DecoderProtocol

/// The picture whose header was read.
final class OpenedPicture {
    /// What was decoded is kept for the next request while all of it is at most this large: 48 megapixels, as phones make them, fit.
    static let mostKeptBytes = 160 << 20

    let file: PictureFile
    /// As stored, or as HEIC and PDF are decoded: upright.
    let width: Int
    let height: Int
    private let orientation: Int
    /// By how much smaller it was decoded. A request is answered from its own and no other, so that the answer does not depend on
    /// what was asked before.
    private var kept: [Int: Kept] = [:]

    private final class Kept {
        let picture: Picture
        let bytes: Int

        init(_ picture: consuming Picture, bytes: Int) {
            self.picture = picture
            self.bytes = bytes
        }
    }

    /// Looks at the header alone.
    init(_ message: DecoderMessage, media: Int32) throws(Refused) {
        let values = message.values
        guard let format = DecoderMessage.Format(rawValue: values[0]), (1...8).contains(values[4]), values[1] < 1 << 32,
            let file = PictureFile(
                mapping: media, count: Int(values[1]), format: format, dotsAnInch: Double(max(1, min(values[6], 1200))))
        else { throw Refused(.unreadable, .request) }
        let picture = try file.open(shrink: 1)
        guard Int64(picture.width) * Int64(picture.height) <= values[5] else { throw Refused(.tooLarge, .size) }
        switch format {
        case .jpeg, .png, .webp:
            // Two readers of one header must agree, or the limits were applied to something else.
            guard Int64(picture.width) == values[2], Int64(picture.height) == values[3] else {
                throw Refused(.unreadable, .size)
            }
            orientation = Int(values[4])
        case .heic, .pdf:
            orientation = 1
        }
        self.file = file
        width = picture.width
        height = picture.height
    }

    /// The part and size that are wanted, upright and in sRGB.
    func picture(_ order: PictureOrder) throws(Refused) -> Picture {
        let shrink = self.shrink(order)
        if let kept = kept[shrink] { return try cut(kept.picture, order) }
        let whole = try file.open(shrink: shrink).flattened()
        let bytes = whole.width * whole.height * whole.bands
        if bytes > Self.mostKeptBytes { return try cut(whole, order) }
        if kept.values.reduce(bytes, { $0 + $1.bytes }) > Self.mostKeptBytes { kept = [:] }
        let decoded = Kept(try whole.inMemory(), bytes: bytes)
        kept[shrink] = decoded
        return try cut(decoded.picture, order)
    }

    /// At least twice the wanted size is decoded and then scaled down with care; four times where a region's edge matters.
    private func shrink(_ order: PictureOrder) -> Int {
        guard file.format == .jpeg else { return 1 }
        let isWhole = order.area.width == width && order.area.height == height
        let spare = isWhole ? 2 : 4
        for shrink in [8, 4, 2]
        where order.area.width >= shrink * spare * order.width && order.area.height >= shrink * spare * order.height {
            return shrink
        }
        return 1
    }

    private func cut(_ whole: borrowing Picture, _ order: PictureOrder) throws(Refused) -> Picture {
        let area = order.area.scaled(from: (width, height), to: (whole.width, whole.height))
        let resized = try whole.cropped(area).resized(width: order.width, height: order.height).inSRGB()
        return orientation == 1 ? resized : try resized.inMemory().upright(orientation)
    }
}

extension Area {
    /// Every pixel of a shrunk picture that the area touches.
    fileprivate func scaled(from old: (width: Int, height: Int), to new: (width: Int, height: Int)) -> Area {
        if old == new { return self }
        let left = x * new.width / old.width
        let top = y * new.height / old.height
        let right = min(new.width, ((x + width) * new.width + old.width - 1) / old.width)
        let bottom = min(new.height, ((y + height) * new.height + old.height - 1) / old.height)
        return Area(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
    }
}
