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
        let isDocument = judgeDocument(scene, detector.descriptor.digest, &list)
        if isDocument, let page = scene.page {
            report.page = page.box
            report.fields = scene.fields
            list.measure("page_dpi", dotsPerInch(page.box), region: page.box)
            let fingers = judgeFingers(scene, detector.descriptor.digest, &list)
            let glare = try judgeGlare(page.box, &list)
            let luma = Luma(try picture.image(page.box, cropFit(page.box)))
            let glareArea = list.judge(
                "glare_area", luma.share(atLeast: 241), .atMost, question.passport.glare ? policy.passport.glareArea : nil,
                region: page.box)
            try judgeBlur(page.box, luma, isAsked: !fingers && !glare && !glareArea, &list)
            list.judge("brightness", luma.mean, .atLeast, policy.passport.brightness, region: page.box)
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

    /// Whether the rule for a page of this piece holds (S43). The finding that judges it is named after the rule.
    private func judgeDocument(_ scene: PassportScene, _ model: String, _ list: inout FindingList) -> Bool {
        let rule = question.piece == .passportBack ? policy.passport.backPage : policy.passport.frontPage
        var fails = list.judge(
            "page_score", scene.page?.score ?? 0, .atLeast, policy.detector.page, region: scene.page?.box, model: model)
        switch rule {
        case .page: break
        case .pageWithPhotoOrMRZ:
            let found = scene.field("photo") ?? scene.field("mrz")
            let best = found ?? scene.best(["photo", "mrz"])
            let threshold = best.map { policy.detector.threshold($0.name) } ?? policy.detector.photo
            fails =
                list.judge(rule.rawValue, best?.score ?? 0, .atLeast, threshold, region: best?.box, model: model) || fails
        case .pageWithoutPhoto:
            let photo = scene.best(["photo"])
            fails =
                list.judge(rule.rawValue, photo?.score ?? 0, .below, policy.detector.photo, region: photo?.box, model: model)
                || fails
        }
        if let other = scene.otherDocument {
            // Two classes at one place: the better score says which it is.
            let isOther = other.score > scene.page?.score ?? 0 && other.score >= policy.detector.otherDocument
            list.add(
                Finding(
                    metric: "other_document_score", value: other.score, passed: isOther ? false : nil,
                    direction: isOther ? .below : nil, threshold: isOther ? policy.detector.otherDocument : nil,
                    region: other.box, model: model))
            fails = fails || isOther
        }
        for candidate in scene.all.prefix(Self.remembered) {
            list.measure("detected_\(candidate.name)", candidate.score, region: candidate.box, model: model)
        }
        return !fails
    }

    /// So many detections become findings, so that other thresholds can be applied without the picture.
    static let remembered = 12

    /// - Returns: whether a finger speaks against the capture.
    private func judgeFingers(_ scene: PassportScene, _ model: String, _ list: inout FindingList) -> Bool {
        let presumed = policy.passport.presumesMRZ && question.piece == .passportFront
        let overlaps = scene.mrz(presumed: presumed).map { mrz in
            scene.counted.filter { $0.name == "finger" }.map { (share: mrz.share(coveredBy: $0.box), box: $0.box) }
        }
        let worst = overlaps?.max { $0.share < $1.share }
        return list.judge(
            "finger_overlap", worst?.share ?? 0, .below, question.passport.fingers ? policy.passport.fingerOverlap : nil,
            region: worst?.box, model: model)
    }

    private func judgeGlare(_ page: NormalizedRect, _ list: inout FindingList) throws(CheckFault) -> Bool {
        guard question.passport.glare else { return false }
        let model = try ModelCall.required(.glare, pipeline)
        let score = try model.score(of: "glare", in: picture, page)
        return list.judge(
            "glare_score", score, .below, policy.passport.glareScore, region: page, model: model.descriptor.digest)
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
            guard let threshold = policy.passport.laplacianVariance else {
                _ = try ModelCall.required(.passportBlur, pipeline)
                return
            }
            list.judge("laplacian_variance", variance, .atLeast, threshold, region: page)
            return
        }
        let score = try model.score(of: "blurred", in: picture, page)
        list.judge("blur_score", score, .below, policy.passport.blurScore, region: page, model: model.descriptor.digest)
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
