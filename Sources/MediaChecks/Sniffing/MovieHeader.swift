/// MP4 and QuickTime: the top-level boxes by seeking, duration and the first video track from `moov`.
///
/// Whatever is in a sample is not looked at. A file is complete when every box ends inside it and every chunk that the
/// tables name starts inside it.
enum MovieHeader {
    static func parse(
        _ reader: inout ByteReader, _ type: MediaType, _ limits: MediaLimits
    ) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "movie_boxes"
        var movie: MediaBox?
        var (sawData, fragmented, trailing) = (false, false, false)
        var offset: Int64 = 0
        var count = 0
        while offset < reader.size {
            count += 1
            guard count <= 100_000 else { throw .mediaUnreadable("movie_boxes") }
            let complete = movie != nil && (sawData || fragmented)
            if complete, try isTrailing(&reader, offset) {
                trailing = true
                break
            }
            let box = try MediaBox.read(&reader, at: offset, limit: reader.size)
            switch box.type {
            case "moov":
                guard movie == nil else { throw .mediaUnreadable("movie_boxes") }
                movie = box
            case "mdat": sawData = sawData || box.bodySize > 0
            case "moof": fragmented = true
            default: guard box.type.isPrintable else { throw .mediaUnreadable("movie_boxes") }
            }
            offset = box.end
        }
        guard let movie else { throw .mediaUnreadable("no_movie_header") }
        guard sawData else { throw .mediaUnreadable("no_movie_data") }
        var media = try MovieTracks.parse(&reader, movie, type, limits)
        if trailing { media.flag(.trailingData) }
        if fragmented { media.flag(.fragmented) }
        return media
    }

    /// Whether what follows a complete movie is no box at all.
    private static func isTrailing(_ reader: inout ByteReader, _ offset: Int64) throws(MediaRefusal) -> Bool {
        guard reader.size - offset >= 8 else { return true }
        return try !reader.code(at: offset + 4).isPrintable
    }
}
