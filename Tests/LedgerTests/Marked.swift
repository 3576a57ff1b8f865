import Cryptography
import Glibc
import SystemCalls
import Testing

@testable import CaptureLedger

/// A photograph that carries 32 bytes found nowhere else, in a comment segment right after its first marker.
struct Marked {
    let path: String
    let marker: [UInt8]
    let bytes: [UInt8]
    var sha256: [UInt8] { SHA256.digest(of: bytes).bytes }

    init(_ name: String, in folder: String) throws {
        let words = [SecureRandom.words(), SecureRandom.words()]
        let marker = words.flatMap { pair in
            [pair.0, pair.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        }
        let plain = try readFile(fixture(name))
        try #require(plain.starts(with: [0xFF, 0xD8]))
        self.marker = marker
        bytes = plain[..<2] + [0xFF, 0xFE, 0, 34] + marker + plain[2...]
        path = folder + "/marked-" + marker.prefix(8).map { String($0, radix: 16) }.joined() + ".jpg"
        let file = try FileDescriptor(opening: path, .createNew)
        try file.write(bytes)
    }
}

func readFile(_ path: String) throws -> [UInt8] { try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 28) }

/// The files under these folders that hold any of the needles.
func files(under folders: [String], holding needles: [[UInt8]]) throws -> [String] {
    var found: [String] = []
    for path in try folders.flatMap({ try tree($0) }) {
        let bytes = try readFile(path)
        if !bytes.isEmpty, needles.contains(where: { contains(bytes, $0) }) { found.append(path) }
    }
    return found
}

private func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
        unsafe needle.withUnsafeBytes { needle in
            guard let start = bytes.baseAddress, let first = needle.baseAddress else { return false }
            var from = 0
            while from + needle.count <= bytes.count,
                let hit = unsafe memchr(start + from, Int32(needle[0]), bytes.count - needle.count - from + 1)
            {
                if unsafe memcmp(hit, first, needle.count) == 0 { return true }
                from = unsafe UnsafeRawPointer(hit) - start + 1
            }
            return false
        }
    }
}
