package import CaptureLedger
import Glibc
package import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls

extension Bench {
    /// Takes turns with `vipsthumbnail`, so that a busy moment of the machine meets both.
    ///
    /// - Parameters:
    ///   - path: of the picture. It is read once before the first round.
    ///   - side: of the letterbox.
    ///   - models: loaded already, or on the first round, which is not counted.
    /// - Throws: `bench_failed` with what did not go.
    package static func checks(
        _ path: String, side: Int = 640, rounds: Int, models: any ModelSupply
    ) throws(LedgerError) -> CheckFigures {
        let bytes = try failing { try FileDescriptor(opening: path, .read, followLinks: true).readToEnd(limit: 64 << 20) }
        guard let program = DecoderProgram.find() else { throw failed("There is no \(DecoderProgram.name).") }
        let scratch = try ScratchFolder(in: "/tmp")
        let cold = DecoderClient(program: program, keepsSpare: false)
        let warm = DecoderClient(program: program)
        let source = ByteArraySource(bytes)
        let media = try failing { try MediaSniffer.sniff(source, for: .selfie, declaredType: nil) }
        var figures = CheckFigures()
        var discarded = CheckFigures()
        try judge(try failing { try cold.picture(source, media) }, models, &discarded)
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
            try judge(picture, models, &figures)
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

    /// Judges the picture as a passport page and closes it.
    private static func judge(
        _ picture: any OpenPicture, _ models: any ModelSupply, _ figures: inout CheckFigures
    ) throws(LedgerError) {
        defer { picture.close() }
        let (inModels, inDecoder) = (PortTime(), PortTime())
        let pipeline = CheckPipeline(models: TimedModels(models: models, time: inModels))
        let timed = TimedPicture(picture, inDecoder)
        try figures.time(.judge) {
            do throws(CheckFault) {
                _ = try pipeline.check(timed, CheckQuestion(piece: .passportFront, source: .camera))
            } catch { throw failed("The picture was not judged: \(error.message)") }
        }
        figures.split(models: Double(inModels.nanoseconds) / 1e6, pixels: Double(inDecoder.nanoseconds) / 1e6)
    }

    private static func tool(_ name: String) -> String? {
        let folders = (EnvironmentVariable.value(of: "PATH") ?? "").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first(where: Executable.isOne)
    }

    static func failed(_ message: String) -> LedgerError {
        LedgerError(
            code: .init(rawValue: "bench_failed"), message: message,
            remedy: "Name a picture that is not damaged, build or install the decoder, and run make setup for the models.")
    }

    static func failing<Value>(_ body: () throws -> Value) throws(LedgerError) -> Value {
        do { return try body() } catch let error as LedgerError { throw error } catch { throw failed("\(error)") }
    }
}

extension CheckFigures {
    /// Of the last judgement.
    fileprivate mutating func split(models: Double, pixels: Double) {
        let whole = milliseconds[.judge]?.last ?? 0
        milliseconds[.models, default: []].append(models)
        milliseconds[.pixels, default: []].append(pixels)
        milliseconds[.around, default: []].append(whole - models - pixels)
    }

    @discardableResult
    fileprivate mutating func time<Value>(_ stage: Stage, _ body: () throws -> Value) throws(LedgerError) -> Value {
        let began = SystemClock.monotonicNanoseconds()
        let value = try Bench.failing(body)
        milliseconds[stage, default: []].append(Double(SystemClock.monotonicNanoseconds() - began) / 1e6)
        return value
    }
}
