import CAV
import DecoderProtocol
import Glibc

/// The bytes of the video, asked for over the socket as libavformat wants them.
final class VideoSource {
    private let channel: Channel
    private let size: Int64
    private var position: Int64 = 0

    init(_ channel: Channel, size: Int64) {
        self.channel = channel
        self.size = size
    }

    /// For avio_alloc_context; lives as long as this object.
    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        opaque, buffer, count in
        unsafe Unmanaged<VideoSource>.fromOpaque(opaque!).takeUnretainedValue().read(buffer!, Int(count))
    }

    static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = { opaque, offset, origin in
        unsafe Unmanaged<VideoSource>.fromOpaque(opaque!).takeUnretainedValue().seek(offset, origin)
    }

    private func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
        let count = min(count, DecoderMessage.chunkSize)
        guard count > 0, position < size else { return cav_end() }
        do throws(ChannelEnded) {
            try channel.send(DecoderMessage(.wanted, [position, Int64(count)]))
            let answer = try channel.receive()
            guard answer.kind == .bytes, answer.payloadCount <= count else { throw ChannelEnded() }
            let bytes = try channel.read(answer.payloadCount)
            if bytes.isEmpty { return cav_end() }
            unsafe bytes.withUnsafeBufferPointer { unsafe buffer.update(from: $0.baseAddress!, count: bytes.count) }
            position += Int64(bytes.count)
            return Int32(bytes.count)
        } catch {
            // Nobody is there to decode for.
            _exit(0)
        }
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        if origin & AVSEEK_SIZE != 0 { return size }
        let base: Int64
        switch origin & ~AVSEEK_FORCE {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = size
        default: return -1
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, (0...size).contains(target) else { return -1 }
        position = target
        return target
    }
}
