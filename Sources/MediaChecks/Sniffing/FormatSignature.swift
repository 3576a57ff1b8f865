/// What the first bytes say.
enum FormatSignature {
    case supported(MediaType)
    /// Recognised by name, or `unknown`.
    case unsupported(String)
    /// Nothing but zeros where the header should be.
    case zeros

    static func recognise(_ reader: inout ByteReader) throws(MediaRefusal) -> FormatSignature {
        let head = try reader.bytes(at: 0, count: Int(min(reader.size, 512)))
        for (prefix, signature) in signatures where head.starts(with: prefix) { return signature }
        if head.count >= 12, head.starts(with: "RIFF".utf8) { return riff(head) }
        if head.count >= 8, let signature = try baseMedia(&reader, head) { return signature }
        if head.allSatisfy({ $0 == 0 }) { return .zeros }
        return text(head)
    }

    private static let signatures: [([UInt8], FormatSignature)] = [
        ([0xFF, 0xD8, 0xFF], .supported(.jpeg)),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .supported(.png)),
        (Array("%PDF-".utf8), .supported(.pdf)),
        (Array("GIF87a".utf8), .unsupported("gif")),
        (Array("GIF89a".utf8), .unsupported("gif")),
        ([0x49, 0x49, 0x2A, 0x00], .unsupported("tiff")),
        ([0x4D, 0x4D, 0x00, 0x2A], .unsupported("tiff")),
        ([0x49, 0x49, 0x2B, 0x00], .unsupported("tiff")),
        ([0x4D, 0x4D, 0x00, 0x2B], .unsupported("tiff")),
        ([0x50, 0x4B, 0x03, 0x04], .unsupported("zip")),
        ([0x50, 0x4B, 0x05, 0x06], .unsupported("zip")),
        ([0x7F, 0x45, 0x4C, 0x46], .unsupported("elf")),
        ([0x1A, 0x45, 0xDF, 0xA3], .unsupported("matroska")),
        ([0xFF, 0x0A], .unsupported("jpeg_xl")),
        ([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20], .unsupported("jpeg_xl")),
        ([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20], .unsupported("jpeg_2000")),
        ([0xFF, 0x4F, 0xFF, 0x51], .unsupported("jpeg_2000")),
        ([0x1F, 0x8B], .unsupported("gzip")),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .unsupported("7z")),
        (Array("Rar!".utf8), .unsupported("rar")),
        (Array("OggS".utf8), .unsupported("ogg")),
        (Array("8BPS".utf8), .unsupported("psd")),
        (Array("BM".utf8), .unsupported("bmp")),
    ]

    private static func riff(_ head: [UInt8]) -> FormatSignature {
        let form = head[8..<12]
        if form.elementsEqual("WEBP".utf8) { return .supported(.webp) }
        if form.elementsEqual("AVI ".utf8) { return .unsupported("avi") }
        return .unsupported("riff")
    }

    /// The brands of `ftyp`, or the boxes that a QuickTime file without one begins with.
    private static func baseMedia(_ reader: inout ByteReader, _ head: [UInt8]) throws(MediaRefusal) -> FormatSignature? {
        let first = try reader.code(at: 4)
        let quickTime: Set<FourCC> = ["moov", "mdat", "wide", "free", "skip", "pnot"]
        guard first == "ftyp" else { return quickTime.contains(first) ? .supported(.mov) : nil }
        let length = Int64(try reader.u32(at: 0))
        guard length >= 16 else { return .unsupported("unknown") }
        guard length <= reader.size else { throw .truncated("ftyp") }
        var brands = [try reader.code(at: 8)]
        var offset: Int64 = 16
        while offset + 4 <= min(length, 1024) {
            brands.append(try reader.code(at: offset))
            offset += 4
        }
        return brand(major: brands[0], all: Set(brands))
    }

    private static func brand(major: FourCC, all: Set<FourCC>) -> FormatSignature {
        let movies: Set<FourCC> = [
            "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "M4V ", "M4VP",
            "dash", "MSNV", "3gp4", "3gp5", "3gp6", "3gp7", "3ge6", "3g2a", "cmfc",
        ]
        if major == "qt  " { return .supported(.mov) }
        if major == "M4A " || major == "M4B " { return .unsupported("m4a") }
        if major == "avif" || major == "avis" { return .unsupported("avif") }
        if major == "crx " { return .unsupported("cr3") }
        if major == "heic" || major == "heix" { return .supported(.heic) }
        if major == "hevc" || major == "hevx" || major == "msf1" { return .unsupported("heif_sequence") }
        if major == "mif1" || major == "mif2" {
            if !all.isDisjoint(with: ["avif", "avis"]) { return .unsupported("avif") }
            return all.isDisjoint(with: ["heic", "heix"]) ? .unsupported("heif") : .supported(.heic)
        }
        if !movies.isDisjoint(with: all) { return .supported(.mp4) }
        return .unsupported("iso_media")
    }

    /// Markup by its first tag, else `unknown`.
    private static func text(_ head: [UInt8]) -> FormatSignature {
        var lower = head.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...]
        if lower.starts(with: [0xEF, 0xBB, 0xBF]) { lower = lower.dropFirst(3) }
        lower = lower.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard lower.first == UInt8(ascii: "<") else { return .unsupported("unknown") }
        let words = String(decoding: lower, as: UTF8.self)
        if words.contains("<svg") { return .unsupported("svg") }
        if words.contains("<html") || words.contains("<!doctype html") || words.contains("<head") || words.contains("<body") {
            return .unsupported("html")
        }
        if words.hasPrefix("<?xml") { return .unsupported("xml") }
        return .unsupported("unknown")
    }
}
