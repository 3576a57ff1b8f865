import DecoderProtocol
import Glibc

/// The client is gone, or talks nonsense: the process ends.
struct ChannelEnded: Error {}

/// The decoder's end of the socket.
struct Channel {
    let number: Int32

    func receive() throws(ChannelEnded) -> DecoderMessage {
        guard let message = DecoderMessage(head: try read(DecoderMessage.headSize)) else { throw ChannelEnded() }
        return message
    }

    func send(_ message: DecoderMessage) throws(ChannelEnded) {
        try send(message.head)
    }

    func send(_ bytes: [UInt8]) throws(ChannelEnded) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress! + done, $0.count - done) }
            if count > 0 { done += count } else if errno != EINTR { throw ChannelEnded() }
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelEnded) {
        var done = 0
        while done < bytes.count {
            let count = unsafe write(number, bytes.baseAddress! + done, bytes.count - done)
            if count > 0 { done += count } else if errno != EINTR { throw ChannelEnded() }
        }
    }

    func refuse(_ failure: Refused) throws(ChannelEnded) {
        try send(DecoderMessage(.refused, [failure.refusal.rawValue, failure.part.rawValue]))
    }

    func read(_ count: Int) throws(ChannelEnded) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress! + done, count - done) }
            if got > 0 { done += got } else if got == 0 || errno != EINTR { throw ChannelEnded() }
        }
        return bytes
    }
}

/// Why a request gets no pixels.
struct Refused: Error {
    let refusal: DecoderMessage.Refusal
    let part: DecoderMessage.Part

    init(_ refusal: DecoderMessage.Refusal, _ part: DecoderMessage.Part) {
        self.refusal = refusal
        self.part = part
    }
}
