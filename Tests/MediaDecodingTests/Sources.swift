import MediaChecks
import Synchronization

/// A medium whose every read fails.
struct BrokenSource: ByteSource {
    let size: Int64

    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
        throw MediaReadFailure(systemCode: 5)
    }
}

/// A video with a box of nothing behind it.
final class PaddedVideo: ByteSource {
    let size: Int64
    private let video: [UInt8]
    private let read = Mutex(0)

    var bytesRead: Int { read.withLock { $0 } }

    init(_ video: [UInt8], padding: Int64) {
        self.video = video
        size = Int64(video.count) + padding
    }

    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
        let count = Int(min(Int64(buffer.count), size - offset))
        for index in 0..<max(0, count) { buffer[index] = byte(at: offset + Int64(index)) }
        read.withLock { $0 += max(0, count) }
        return max(0, count)
    }

    private func byte(at offset: Int64) -> UInt8 {
        let place = Int(offset) - video.count
        if place < 0 { return video[Int(offset)] }
        let length = UInt32(truncatingIfNeeded: size - Int64(video.count))
        let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) } + Array("free".utf8)
        return place < 8 ? head[place] : 0
    }
}
