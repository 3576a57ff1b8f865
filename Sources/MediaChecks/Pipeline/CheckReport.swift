package import SessionDomain

/// What a detector saw at one place.
package struct Detection: Sendable, Hashable {
    /// The class's name in the model's descriptor, such as `page`, `photo`, `mrz`, `finger`.
    package let name: String
    package let score: Double
    /// In fractions of the upright picture.
    package let box: NormalizedRect

    package init(name: String, score: Double, box: NormalizedRect) {
        self.name = name
        self.score = score
        self.box = box
    }
}

/// What the pipeline says about one capture.
package struct CheckReport: Sendable, Hashable {
    /// In the order in which they were measured.
    package var findings: [Finding] = []
    /// The first failing check; nil: nothing speaks against the capture.
    package var failure: CaptureFailure?
    package var detections: [Detection] = []
    /// Where the page lies in the upright picture; the crop that is kept and that ``fields`` are normalised to.
    package var page: NormalizedRect?
    package var fields: FieldDetections?
    package var policyVersion: String

    package init(policyVersion: String) { self.policyVersion = policyVersion }
}
