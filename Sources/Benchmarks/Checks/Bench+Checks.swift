package import CaptureLedger
import Glibc
import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls

extension Bench {
    /// Takes turns with `vipsthumbnail`, so that a busy moment of the machine meets both.
    ///
    /// - Parameters:
    ///   - path: of the picture. It is read once before the first round.
    ///   - side: of the letterbox.
    /// - Throws: `bench_failed` with what did not go.
    package static func decode(_ path: String, side: Int = 640, rounds: Int) throws(LedgerError) -> DecodeFigures {
        let bytes = try failing { try FileDescriptor(opening: path, .read, followLinks: true).readToEnd(limit: 64 << 20) }
        guard let program = DecoderProgram.find() else { throw failed("There is no \(DecoderProgram.name).") }
        let scratch = try ScratchFolder(in: "/tmp")
        let cold = DecoderClient(program: program, keepsSpare: false)
        let warm = DecoderClient(program: program)
        let source = ByteArraySource(bytes)
        let media = try failing { try MediaSniffer.sniff(source, for: .selfie, declaredType: nil) }
        var figures = DecodeFigures()
        for _ in 0..<max(1, rounds) {
            try figures.time(.openWithoutSpare) { try cold.picture(source, media).close() }
            warm.warmUp()
            usleep(300_000)  // the spare locks itself down
            let middle = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
            let picture = try figures.time(.open) { try warm.picture(source, media) }
            try figures.time(.letterbox) { _ = try picture.pixels(nil, .letterbox(side: side)) }
            try figures.time(.letterboxAgain) { _ = try picture.pixels(nil, .letterbox(side: side)) }
            try figures.time(.crop) { _ = try picture.pixels(middle, .stretch(width: 224, height: 224)) }
            try figures.time(.jpeg) { _ = try picture.jpeg(middle, longestSide: 4096) }
            picture.close()
            usleep(300_000)
            guard let tool = tool("vipsthumbnail") else { continue }
            try figures.time(.vipsthumbnail) {
                let run = try ChildProcess.run(
                    path: tool, arguments: [tool, path, "-s", "\(side)", "-o", "\(scratch.path)/%s.ppm"],
                    limitMilliseconds: 60_000, outputLimit: 10_000)
                guard run.end == .exited(0) else { throw failed("vipsthumbnail ended with \(run.end).") }
            }
        }
        return figures
    }

    private static func tool(_ name: String) -> String? {
        let folders = (EnvironmentVariable.value(of: "PATH") ?? "").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first(where: Executable.isOne)
    }

    static func failed(_ message: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "bench_failed"), message: message,
            remedy: "Name a picture that is not damaged, and build or install the decoder.")
    }

    static func failing<Value>(_ body: () throws -> Value) throws(LedgerError) -> Value {
        do { return try body() } catch let error as LedgerError { throw error } catch { throw failed("\(error)") }
    }
}

extension DecodeFigures {
    @discardableResult
    fileprivate mutating func time<Value>(_ stage: Stage, _ body: () throws -> Value) throws(LedgerError) -> Value {
        let began = SystemClock.monotonicNanoseconds()
        let value = try Bench.failing(body)
        milliseconds[stage, default: []].append(Double(SystemClock.monotonicNanoseconds() - began) / 1e6)
        return value
    }
}
