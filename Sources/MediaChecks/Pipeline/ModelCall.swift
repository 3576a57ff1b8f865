import SessionDomain

/// One model of a supply, under the rules of a policy: the descriptor that was looked at is the one whose digest findings
/// carry.
struct ModelCall {
    let role: ModelRole
    let descriptor: ModelDescriptor
    private let models: any ModelSupply

    /// nil where no such model is installed.
    init?(_ role: ModelRole, _ pipeline: CheckPipeline) throws(CheckFault) {
        let found: ModelDescriptor?
        do throws(ModelFault) { found = try pipeline.models.descriptor(role) } catch { throw CheckFault(error, role) }
        guard let found else { return nil }
        if let pinned = pipeline.policy.models[role], pinned != found.digest {
            throw CheckFault(
                ModelFault(
                    .badDescriptor, message: "The policy pins another \(role.rawValue) model than the one that is installed.",
                    remedy: "Install the pinned model, or correct models.\(role.rawValue) in the policy."), role)
        }
        self.role = role
        descriptor = found
        models = pipeline.models
    }

    /// - Throws: `scanner_not_ready` where it is not installed.
    static func required(_ role: ModelRole, _ pipeline: CheckPipeline) throws(CheckFault) -> ModelCall {
        if let call = try ModelCall(role, pipeline) { return call }
        throw CheckFault(
            ModelFault(
                .notReady, message: "No \(role.rawValue) model is installed.",
                remedy: "Install it with its descriptor, or switch the check off."), role)
    }

    func run(_ input: FloatTensor, outputs: [Int] = [0]) throws(CheckFault) -> [FloatTensor] {
        let results: [FloatTensor]
        do throws(ModelFault) { results = try models.run(role, input, outputs: outputs) } catch {
            throw CheckFault(error, role)
        }
        guard results.count == outputs.count else {
            throw fault(
                ModelFault(
                    .wrongShape, message: "The model gave \(results.count) outputs where \(outputs.count) were asked for.",
                    remedy: "Correct the runner: every output that is asked for comes back, in order."))
        }
        return results
    }

    func run(_ image: RGBImage, outputs: [Int] = [0]) throws(CheckFault) -> [FloatTensor] {
        try run(FloatTensor(image, descriptor), outputs: outputs)
    }

    func fault(_ fault: ModelFault) -> CheckFault { CheckFault(fault, role) }
}

extension OpenPicture {
    func image(_ region: NormalizedRect?, _ fit: PixelFit) throws(CheckFault) -> RGBImage {
        do throws(DecodingRefusal) { return try pixels(region, fit) } catch { throw CheckFault(error) }
    }
}
