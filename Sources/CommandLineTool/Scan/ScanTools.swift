import CaptureLedger
import MediaChecks

/// What frames are looked at with: a decoder, models that stay loaded, a policy.
struct ScanTools {
    let decoder: any PictureDecoder
    let pipeline: CheckPipeline
    private let models: ModelScope

    init(_ tools: CheckTools, _ policy: CheckPolicy) {
        var tools = tools
        tools.keepsDecoder = true
        decoder = tools.decoder
        models = tools.room().open()
        pipeline = CheckPipeline(policy: policy, models: models)
    }

    func close() { models.close() }
}

extension Complaint {
    /// Why nothing could be said about a frame.
    init(_ fault: CheckFault) {
        self.init(
            fault.code.rawValue, fault.message.asSentence, remedy: fault.remedy,
            exit: fault.blamesCapture ? .refused : .configuration)
    }
}
