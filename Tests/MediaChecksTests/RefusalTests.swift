import MediaChecks
import SessionDomain
import Testing

/// Bytes and what they are refused as.
struct Sample: Sendable, CustomTestStringConvertible {
    let label: String
    let bytes: [UInt8]

    init(_ label: String, _ bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }

    var testDescription: String { label }
}

private let unsupported: [Sample] = [
    Sample("empty", []),
    Sample("media_unreadable(all_zero)", Array(repeating: 0, count: 4096)),
    Sample("unsupported_format(gif)", Array("GIF89a\u{1}\0\u{1}\0".utf8)),
    Sample("unsupported_format(bmp)", Array("BM000000000000".utf8)),
    Sample("unsupported_format(tiff)", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0]),
    Sample("unsupported_format(tiff)", [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 0]),
    Sample("unsupported_format(avif)", [0, 0, 0, 20] + Array("ftypavif\0\0\0\0mif1".utf8)),
    Sample("unsupported_format(avif)", [0, 0, 0, 24] + Array("ftypmif1\0\0\0\0mif1avif".utf8)),
    Sample("unsupported_format(svg)", Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
    Sample("unsupported_format(html)", Array(" \n<!DOCTYPE HTML><html><body>captive portal</body></html>".utf8)),
    Sample("unsupported_format(zip)", [0x50, 0x4B, 3, 4, 20, 0]),
    Sample("unsupported_format(elf)", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1]),
    Sample("unsupported_format(matroska)", [0x1A, 0x45, 0xDF, 0xA3, 1, 2, 3]),
    Sample("unsupported_format(unknown)", Array("plain words".utf8)),
    Sample("unsupported_format(unknown)", [0xFF]),
    Sample("truncated(jpeg_header)", [0xFF, 0xD8, 0xFF]),
]

@Suite struct RefusalTests {
    private static func refusal(_ bytes: [UInt8], _ piece: Piece = .passportFront) -> String {
        do {
            return "accepted \(try MediaSniffer.sniff(ByteArraySource(bytes), for: piece, declaredType: nil).type)"
        } catch {
            return error.label
        }
    }

    @Test(arguments: unsupported)
    func `F26 what is not supported is refused by name`(sample: Sample) {
        #expect(Self.refusal(sample.bytes) == sample.label)
    }

    @Test(arguments: [
        MediaRefusal.empty, .truncated("jpeg_scan"), .imageTooLarge, .fileTooLarge(.mov), .unsupportedFormat("gif"),
        .notAllowedForPiece(.pdf), .pdfEncrypted, .pdfTooManyPages, .pdfPagesUnknown("catalog"),
        .mediaUnreadable("png_header"),
    ])
    func `every refusal is a sentence with a remedy`(refusal: MediaRefusal) {
        #expect(refusal.code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F })
        #expect(refusal.message.hasSuffix(".") && refusal.message.first?.isUppercase == true)
        #expect(refusal.remedy.hasSuffix(".") && refusal.remedy.first?.isUppercase == true)
        #expect(refusal.label.hasPrefix(refusal.code))
    }

    @Test func `nothing of a file reaches a refusal`() {
        let secret = "ERIKSSON"
        let samples = [Array("<\(secret)/>".utf8), Array("%PDF-\(secret)".utf8), Array("\0\0\0\u{10}ftyp\(secret)".utf8)]
        for bytes in samples {
            do {
                _ = try MediaSniffer.sniff(ByteArraySource(bytes), for: .selfie, declaredType: secret)
                Issue.record("accepted")
            } catch {
                #expect(!"\(error)".contains(secret) && !"\(error)".contains("ERIK"))
            }
        }
    }
}
