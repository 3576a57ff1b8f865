import SessionDomain

/// The checks of one picture of a passport page: detection, fingers, glare, blur, brightness (S50).
struct PassportCheck {
    let pipeline: CheckPipeline
    let picture: any OpenPicture
    let question: CheckQuestion
    var policy: CheckPolicy { pipeline.policy }

    init(_ pipeline: CheckPipeline, _ picture: any OpenPicture, _ question: CheckQuestion) {
        self.pipeline = pipeline
        self.picture = picture
        self.question = question
    }

    func report() throws(CheckFault) -> CheckReport {
        var report = CheckReport(policyVersion: pipeline.policyVersion)
        var list = FindingList(policyVersion: pipeline.policyVersion)
        let detector = try ModelCall.required(.passportDetector, pipeline)
        let scene = PassportScene(try detections(detector), policy)
        report.detections = scene.counted
        let isDocument = scene.judgeDocument(question.piece, detector.descriptor.digest, &list)
        for candidate in scene.all.prefix(PassportScene.remembered) {
            list.measure(
                "detected_\(candidate.name)", candidate.score, region: candidate.box, model: detector.descriptor.digest)
        }
        if isDocument, let page = scene.page {
            report.page = page.box
            report.fields = scene.fields
            list.measure("page_dpi", dotsPerInch(page.box), region: page.box)
            let fingers = scene.judgeFingers(question, detector.descriptor.digest, &list)
            let glare = try judgeGlare(page.box, &list)
            let luma = Luma(try picture.image(page.box, cropFit(page.box)))
            let glareArea = list.judge(.glareArea, luma.share(atLeast: 241), policy, question, region: page.box)
            try judgeBlur(page.box, luma, isAsked: !fingers && !glare && !glareArea, &list)
            list.judge(.brightness, luma.mean, policy, question, region: page.box)
        }
        report.findings = list.findings
        return report
    }

    private func detections(_ detector: ModelCall) throws(CheckFault) -> [Detection] {
        let descriptor = detector.descriptor
        guard descriptor.inputWidth == descriptor.inputHeight else {
            throw detector.fault(
                ModelFault(
                    .badDescriptor, message: "The passport detector's input is not square.",
                    remedy: "Correct the descriptor: pictures are letterboxed into a square."))
        }
        let side = descriptor.inputWidth
        let outputs = try detector.run(try picture.image(nil, .letterbox(side: side)))
        do throws(ModelFault) {
            let geometry = LetterboxGeometry(width: picture.width, height: picture.height, side: side)
            return try Detection.decode(outputs[0], descriptor, geometry, policy.detector)
        } catch { throw detector.fault(error) }
    }

    private func judgeGlare(_ page: NormalizedRect, _ list: inout FindingList) throws(CheckFault) -> Bool {
        guard question.passport.glare else { return false }
        let model = try ModelCall.required(.glare, pipeline)
        let score = try model.score(of: "glare", in: picture, page)
        return list.judge(.glareScore, score, policy, question, region: page, model: model.descriptor.digest)
    }

    /// - Parameter isAsked: fingers and glare passed, or are switched off (S46).
    private func judgeBlur(
        _ page: NormalizedRect, _ luma: Luma, isAsked: Bool, _ list: inout FindingList
    ) throws(CheckFault) {
        let variance = LaplacianVariance.of(luma)
        guard question.passport.blur, isAsked else {
            return list.measure("laplacian_variance", variance, region: page)
        }
        guard let model = try ModelCall(.passportBlur, pipeline) else {
            guard policy.passport.laplacianVariance != nil else {
                _ = try ModelCall.required(.passportBlur, pipeline)
                return
            }
            list.judge(.laplacianVariance, variance, policy, question, region: page)
            return
        }
        let score = try model.score(of: "blurred", in: picture, page)
        list.judge(.blurScore, score, policy, question, region: page, model: model.descriptor.digest)
        list.measure("laplacian_variance", variance, region: page)
    }

    /// As if the page were a passport's, 125 millimetres across (ICAO Doc 9303 part 4, TD3).
    private func dotsPerInch(_ page: NormalizedRect) -> Double {
        max(page.width * Double(picture.width), page.height * Double(picture.height)) * 25.4 / 125
    }

    /// The page at the policy's width, so that measures of sharpness can be compared.
    private func cropFit(_ page: NormalizedRect) -> PixelFit {
        let width = policy.passport.cropWidth
        let ratio = page.height * Double(picture.height) / (page.width * Double(picture.width))
        let height = (Double(width) * ratio).rounded()
        return .stretch(width: width, height: Int(min(8 * Double(width), max(1, height))))
    }
}
