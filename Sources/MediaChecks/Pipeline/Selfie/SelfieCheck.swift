import SessionDomain

/// The checks of one picture of a face.
struct SelfieCheck {
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
        CheckReport(policyVersion: policy.identity)
    }
}
