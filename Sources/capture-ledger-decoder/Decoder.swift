import CSystem
import DecoderProtocol
import Glibc

/// The decoder's program: locks itself down, says so, and answers requests about one picture or one video until its client is gone.
///
/// It is started by `MediaDecoding` with these descriptors: 3 a socket for ``DecoderMessage``s, 4 a pipe whose writer lives as long as
/// the client, and for pictures 5, a sealed file in memory.
enum Decoder {
    /// Exit codes: 64 for a wrong call, 70 when a library did not load, 71 when the lock-down failed, 0 when the client is gone.
    static func run(_ arguments: [String]) -> Int32 {
        let words = Array(arguments.dropFirst())
        if words == ["--self-test"] { return SelfTest.run() }
        guard words.count == 2, let role = Role(rawValue: words[0]), words[1] == "\(DecoderMessage.version)" else {
            return usage()
        }
        return serve(role)
    }

    /// What it is started for. Each loads what it needs and no more: nobody's JPEG meets the renderer of documents.
    enum Role: String {
        /// JPEG, PNG or WebP.
        case picture
        case heic
        case document
        case video

        /// The first descriptor that nothing is on.
        var firstFree: UInt32 { self == .video ? 5 : 6 }
    }

    private static func serve(_ role: Role) -> Int32 {
        cl_default_signals()
        guard cl_close_from(role.firstFree) == 0, cl_die_with_writer(4) == 0 else { return 71 }
        guard prepare(role) else { return 70 }
        guard let landlock = LockDown.enter(role) else { return 71 }
        let channel = Channel(number: 3)
        do throws(ChannelEnded) {
            try channel.send(DecoderMessage(.ready, [DecoderMessage.version, Int64(landlock)]))
            switch role {
            case .picture, .heic, .document: try PictureDesk(channel: channel, media: 5).serve()
            case .video: try VideoDesk(channel: channel).serve()
            }
        } catch {}
        // Threads of the libraries may still be there; nothing is left to do for them.
        _exit(0)
    }

    /// Everything that opens files or takes long happens here, before the lock-down and before any thread.
    static func prepare(_ role: Role) -> Bool {
        cl_one_heap()
        return role == .video ? VideoLibrary.load() : PictureLibrary.load(role)
    }

    private static func usage() -> Int32 {
        let text = """
            capture-ledger-decoder turns one picture or video into pixels behind a sandbox; capture-ledger starts it.
            usage: capture-ledger-decoder --self-test    lock down, try what must fail, print JSON

            """
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        return 64
    }
}
