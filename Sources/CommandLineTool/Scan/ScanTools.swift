import CaptureLedger
import CaptureLedgerRunners
import MediaChecks
import MediaDecoding

/// What frames are looked at with: a decoder, models that stay loaded, a policy.
struct ScanTools {
    let decoder: any PictureDecoder
    let pipeline: CheckPipeline
    private let models: ModelScope

    init(_ policy: CheckPolicy) throws(Complaint) {
        guard let program = DecoderProgram.find() else {
            throw Complaint(
                CheckFault(
                    DecodingRefusal(
                        .unavailable, message: "The program \(DecoderProgram.name) was not found.",
                        remedy: "Put it beside capture-ledger, or name it in \(DecoderProgram.variable).")))
        }
        decoder = DecoderClient(program: program)
        let runner: TensorFlowLiteRunner
        do throws(LedgerError) { runner = try TensorFlowLiteRunner() } catch {
            throw Complaint("scanner_not_ready", sentence(error.message), remedy: error.remedy, exit: .configuration)
        }
        // nobody hurries a scan: a busy machine may take long over a load
        models = ModelRoom(runners: RunnerRegistry(runner), patienceMilliseconds: 30_000).open()
        pipeline = CheckPipeline(policy: policy, models: models)
    }

    func close() { models.close() }
}

extension Complaint {
    /// Why nothing could be said about a frame.
    init(_ fault: CheckFault) {
        self.init(
            fault.code.rawValue, sentence(fault.message), remedy: fault.remedy,
            exit: fault.blamesCapture ? .refused : .configuration)
    }
}

extension CheckPolicy {
    /// - Parameter path: of a policy's file; nil: the standard policy.
    static func named(_ path: String?) throws(Complaint) -> CheckPolicy {
        guard let path else { return .standard }
        let bytes = try InputFile.bytes(path, limit: 1 << 16)
        do throws(PolicyProblem) { return try CheckPolicy(json5: bytes) } catch {
            throw Complaint(error.code.rawValue, error.message, remedy: error.remedy, exit: .configuration)
        }
    }
}

/// With a full stop, and a capital letter unless it begins with a file's name.
private func sentence(_ text: String) -> String {
    let isWord = text.prefix { $0 != " " }.allSatisfy(\.isLetter)
    return (isWord ? text.prefix(1).uppercased() + text.dropFirst() : text) + (text.hasSuffix(".") ? "" : ".")
}
