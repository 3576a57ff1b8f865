import DecoderProtocol

/// Which part of a picture is wanted and in which size, as stored.
struct PictureOrder {
    /// More pixels than this are never given out at once.
    static let mostPixels: Int64 = 100_000_000

    let area: Area
    let width: Int
    let height: Int
    let quality: Int32

    /// - Throws: what lies outside of the picture or is empty.
    init(_ message: DecoderMessage, _ picture: OpenedPicture) throws(Refused) {
        let values = message.values
        guard values[0] >= 0, values[1] >= 0, values[2] > 0, values[3] > 0,
            values[0] <= picture.width, values[2] <= Int64(picture.width) - values[0],
            values[1] <= picture.height, values[3] <= Int64(picture.height) - values[1],
            (1...32_767).contains(values[4]), (1...32_767).contains(values[5]), values[4] * values[5] <= Self.mostPixels
        else { throw Refused(.unreadable, .request) }
        area = Area(x: Int(values[0]), y: Int(values[1]), width: Int(values[2]), height: Int(values[3]))
        width = Int(values[4])
        height = Int(values[5])
        quality = message.kind == .jpeg ? Int32(min(100, max(1, values[6]))) : 0
    }
}
