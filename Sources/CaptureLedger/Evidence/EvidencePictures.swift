import Audit
import MediaChecks
import SessionDomain
import Vault

/// Pictures of a session's media in a size for print: made by the decoder, or the files themselves where there is none and they are
/// small. Videos show three of their frames.
final class EvidencePictures {
    private static let longestSide = 1_200
    private static let frameSide = 420
    /// Files that browsers show are taken as they are up to here.
    private static let plainLimit: Int64 = 4 << 20
    private static let shownTypes = ["image/jpeg", "image/png", "image/webp"]

    private let ledger: Ledger
    private let collected: CollectedSession
    private let decoder: any PictureDecoder

    init(_ ledger: Ledger, _ collected: CollectedSession) {
        self.ledger = ledger
        self.collected = collected
        decoder = ledger.checks.tools.decoder
    }

    func pictures(of media: EventRecord.NamedMedia, piece: Piece?) -> [ReportPicture] {
        guard let key = collected.key else { return [] }
        // A file that is gone or does not open is named where the report says what is not there.
        guard let reader = try? ledger.keys.read(.media, ObjectID(media.id), key: key) else { return [] }
        let caption = media.isCrop ? "The page that was cut out" : "The original"
        if media.isCrop, let plain = plain(media, reader, caption) { return [plain] }
        if let made = decoded(reader, caption, piece ?? .selfie) { return made }
        if let plain = plain(media, reader, caption) { return [plain] }
        return []
    }

    private func plain(_ media: EventRecord.NamedMedia, _ reader: SealedReader, _ caption: String) -> ReportPicture? {
        guard Self.shownTypes.contains(media.type), reader.byteCount <= Self.plainLimit,
            let bytes = try? reader.readAll(limit: Int(Self.plainLimit))
        else { return nil }
        return ReportPicture(type: media.type, bytes: bytes, caption: caption)
    }

    private func decoded(_ reader: SealedReader, _ caption: String, _ piece: Piece) -> [ReportPicture]? {
        let source = SealedBytes(reader)
        guard let sniffed = try? MediaSniffer.sniff(source, for: piece, declaredType: nil, limits: ledger.settings.media)
        else { return nil }
        do throws(DecodingRefusal) {
            if sniffed.type.isVideo { return try frames(source, sniffed) }
            let picture = try decoder.picture(source, sniffed)
            defer { picture.close() }
            let bytes = try picture.jpeg(nil, longestSide: Self.longestSide)
            return [ReportPicture(type: "image/jpeg", bytes: bytes, caption: caption)]
        } catch { return nil }
    }

    private func frames(_ source: SealedBytes, _ sniffed: SniffedMedia) throws(DecodingRefusal) -> [ReportPicture] {
        let video = try decoder.video(source, sniffed)
        defer { video.close() }
        let length = video.durationMilliseconds ?? 0
        var pictures: [ReportPicture] = []
        for time in length > 0 ? [0, length / 2, length * 9 / 10] : [0] {
            guard let frame = try video.frame(atMilliseconds: time, .within(Self.frameSide)) else { break }
            let seconds = "\(frame.timeMilliseconds / 1000).\(frame.timeMilliseconds % 1000 / 100)"
            pictures.append(
                ReportPicture(
                    type: "image/png", bytes: PNGFile.bytes(of: frame.image), caption: "The video at \(seconds) s"))
        }
        return pictures
    }
}
