import SessionDomain

/// The checks of one picture of a face: light, faces, framing, pose, tilt, classifier.
struct SelfieCheck {
    let pipeline: CheckPipeline
    let picture: any OpenPicture
    let question: CheckQuestion
    var policy: SelfiePolicy { pipeline.policy.selfie }
    var isUpload: Bool { question.source.isUpload }

    init(_ pipeline: CheckPipeline, _ picture: any OpenPicture, _ question: CheckQuestion) {
        self.pipeline = pipeline
        self.picture = picture
        self.question = question
    }

    func report() throws(CheckFault) -> CheckReport {
        var report = CheckReport(policyVersion: pipeline.policyVersion)
        var list = FindingList(policyVersion: pipeline.policyVersion)
        // Of the whole picture: a face's own luma depends on its skin, and would refuse people instead of light.
        let luma = Luma(try picture.image(nil, .within(256)))
        list.judge(.brightness, luma.mean, pipeline.policy, question)
        let faces = try self.faces()
        if let faces {
            judge(faces, &list)
            report.detections = faces.faces.map { Detection(name: "face", score: $0.candidate.score.toMillionths, box: $0.box) }
            if let face = faces.faces.first { try measure(face, faces.meshDigest, &list) }
        } else {
            judgeClientFaces(&list)
        }
        judgeTilt(&list)
        try judgeClasses(faces, &list)
        report.findings = list.findings
        return report
    }

    /// nil: no face model is installed, and the client counted the faces itself (S63).
    private func faces() throws(CheckFault) -> SelfieFaces? {
        let installed = try ModelCall(.faceDetector, pipeline)
        if installed == nil, ClientMetric.faceCount.value(in: question.measurements) != nil { return nil }
        let detector = try ModelCall.required(.faceDetector, pipeline)
        let mesh = try ModelCall.required(.faceMesh, pipeline)
        return try SelfieFaces(detector, mesh, in: picture, policy, closely: isUpload)
    }

    private func judge(_ faces: SelfieFaces, _ list: inout FindingList) {
        list.judgeCount("face_count", Double(faces.faces.count), model: faces.meshDigest)
        list.measure("face_score", faces.bestScore, model: faces.detectorDigest)
        if let presence = faces.bestPresence { list.measure("mesh_presence", presence, model: faces.meshDigest) }
        guard let face = faces.faces.first else { return }
        let (rules, digest) = (pipeline.policy, faces.detectorDigest)
        list.judge(.faceMargin, face.box.margin, rules, question, region: face.box, model: digest)
        list.judge(.faceArea, face.box.area, rules, question, region: face.box, model: digest)
    }

    private func judgeClientFaces(_ list: inout FindingList) {
        func value(_ metric: ClientMetric) -> Double? { metric.value(in: question.measurements) }
        list.judgeCount("client_face_count", value(.faceCount) ?? 0, model: nil)
        if let margin = value(.faceMargin) {
            list.judge(.clientFaceMargin, margin, pipeline.policy, question)
        }
        if let area = value(.faceArea) { list.judge(.clientFaceArea, area, pipeline.policy, question) }
    }

    /// Live only, and only as the client measured it; uploads carry no tilt (S58).
    private func judgeTilt(_ list: inout FindingList) {
        guard !isUpload, question.selfie.phoneStraight else { return }
        if let pitch = ClientMetric.tiltPitch.value(in: question.measurements) {
            list.judge(.tiltBack, max(0, pitch), pipeline.policy, question)
            list.judge(.tiltForward, max(0, -pitch), pipeline.policy, question)
        } else {
            list.notAssessed("client_tilt_back_degrees")
            list.notAssessed("client_tilt_forward_degrees")
        }
        if let roll = ClientMetric.tiltRoll.value(in: question.measurements) {
            list.judge(.tiltSideways, abs(roll), pipeline.policy, question)
        } else {
            list.notAssessed("client_tilt_sideways_degrees")
        }
    }

    /// Glasses, covered face, and for uploads "not a selfie" (S59–S61). Without a classifier the first two are not assessed,
    /// and the mesh decides the third.
    private func judgeClasses(_ faces: SelfieFaces?, _ list: inout FindingList) throws(CheckFault) {
        let switches = question.selfie
        guard isUpload || switches.glasses || switches.coveredFace else { return }
        guard let model = try ModelCall(.selfieClassifier, pipeline) else {
            if switches.glasses { list.notAssessed("glasses_score") }
            if switches.coveredFace { list.notAssessed("covered_face_score") }
            guard isUpload else { return }
            guard let faces, let presence = faces.bestPresence else { return list.notAssessed("not_a_selfie_score") }
            list.judge(.notASelfieScore, 1 - presence, pipeline.policy, question, model: faces.meshDigest)
            return
        }
        let digest = model.descriptor.digest
        let scores = try classify(model)
        list.judge(.glassesScore, scores.glasses, pipeline.policy, question, model: digest)
        list.judge(.coveredFaceScore, scores.coveredFace, pipeline.policy, question, model: digest)
        list.judge(.notASelfieScore, scores.notASelfie, pipeline.policy, question, model: digest)
    }

    /// On the whole picture, letterboxed where the model's input is square.
    private func classify(_ model: ModelCall) throws(CheckFault) -> SelfieClassifier {
        let (width, height) = (model.descriptor.inputWidth, model.descriptor.inputHeight)
        let image = try picture.image(nil, width == height ? .letterbox(side: width) : .stretch(width: width, height: height))
        let output = try model.run(image)[0]
        do throws(ModelFault) {
            return try SelfieClassifier(output, classNames: model.descriptor.classNames)
        } catch { throw model.fault(error) }
    }
}
