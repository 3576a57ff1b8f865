/// Writes a picture as a PNG: eight bits a channel, RGB, rows unfiltered in stored blocks. Nothing is compressed, so that no library is
/// needed; the file is a little larger than its pixels.
package enum PNGFile {
    package static func bytes(of image: RGBImage) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var header = UInt32(image.width).bigEndianBytes + UInt32(image.height).bigEndianBytes
        // depth 8, truecolour, deflate, adaptive filters, no interlace
        header += [8, 2, 0, 0, 0]
        append("IHDR", header, to: &file)
        append("IDAT", zlib(rows(image)), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// Every row behind its filter's number, which is 0: none.
    private static func rows(_ image: RGBImage) -> [UInt8] {
        let length = 3 * image.width
        var rows: [UInt8] = []
        rows.reserveCapacity(image.height * (length + 1))
        for row in 0..<image.height {
            rows.append(0)
            rows += image.bytes[row * length..<(row + 1) * length]
        }
        return rows
    }

    /// RFC 1950 around the stored blocks of RFC 1951.
    private static func zlib(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(content.count + content.count / 0xFFFF * 5 + 16)
        var start = 0
        repeat {
            let end = min(start + 0xFFFF, content.count)
            let length = UInt16(end - start)
            stream.append(end == content.count ? 1 : 0)
            for value in [length, ~length] {
                stream.append(UInt8(truncatingIfNeeded: value))
                stream.append(UInt8(truncatingIfNeeded: value >> 8))
            }
            stream += content[start..<end]
            start = end
        } while start < content.count
        return stream + adler32(content).bigEndianBytes
    }

    private static func adler32(_ content: [UInt8]) -> UInt32 {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + content
        file += UInt32(content.count).bigEndianBytes + body + CRC32.of(body).bigEndianBytes
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    }
}
