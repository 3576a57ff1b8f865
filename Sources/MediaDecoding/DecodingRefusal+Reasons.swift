import DecoderProtocol
package import MediaChecks
import SystemCalls

extension DecodingRefusal {
    static func unreadable(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .unreadable, detail: detail, message: "The media cannot be decoded.", remedy: "Capture the piece again.")
    }

    static func truncated(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .truncated, detail: detail, message: "The content ends early.",
            remedy: "Copy or upload the original again, or capture the piece again.")
    }

    static func tooLarge(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .tooLarge, detail: detail, message: "The media has more pixels than are decoded.",
            remedy: "Use a smaller picture, or raise the pixel limit.")
    }

    static func limits(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .limits, detail: detail, message: "Decoding took more time or memory than it may.",
            remedy: "Capture the piece again, or save it in a simpler format.")
    }

    static func crashed(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .crashed, detail: detail, message: "The decoder ended while it worked on the media.",
            remedy: "Capture the piece again; keep the file and report it if it shows an ordinary picture.")
    }

    static func unavailable(_ detail: String) -> DecodingRefusal {
        DecodingRefusal(
            .unavailable, detail: detail, message: "The decoder does not run.",
            remedy:
                "Install \(DecoderProgram.name) beside the program or set \(DecoderProgram.variable); doctor says what is missing."
        )
    }

    /// No program was found.
    package static let noDecoder = DecodingRefusal.unavailable("not_found")

    /// What the decoder said, when it is something that it can say; anything else is not from a decoder in its right mind.
    init?(_ message: DecoderMessage) {
        guard message.kind == .refused, let refusal = DecoderMessage.Refusal(rawValue: message.values[0]),
            let part = DecoderMessage.Part(rawValue: message.values[1])
        else { return nil }
        let detail = Self.word(part)
        switch refusal {
        case .unreadable: self = .unreadable(detail)
        case .truncated: self = .truncated(detail)
        case .tooLarge: self = .tooLarge(detail)
        case .limits: self = .limits(detail)
        }
    }

    private static func word(_ part: DecoderMessage.Part) -> String {
        switch part {
        case .header: "header"
        case .content: "content"
        case .size: "size"
        case .colour: "colour"
        case .codec: "codec"
        case .memory: "memory"
        case .request: "request"
        }
    }

    /// How its process ended. It was given bytes before, unless `isReady` is false.
    init(_ end: ChildProcess.End?, isReady: Bool) {
        guard isReady else {
            self = .unavailable(end.map(Self.word) ?? "start")
            return
        }
        switch end {
        // SIGXCPU and SIGKILL: the limits of processor time; SIGKILL is also the kernel's when memory runs out.
        case .signalled(24), .signalled(9): self = .limits(Self.word(end!))
        case .some(let end): self = .crashed(Self.word(end))
        case nil: self = .crashed("protocol")
        }
    }

    private static func word(_ end: ChildProcess.End) -> String {
        switch end {
        case .exited(let code): "exit_\(code)"
        case .signalled(let number): "signal_\(number)"
        }
    }
}
