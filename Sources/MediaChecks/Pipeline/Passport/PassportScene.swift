import SessionDomain

/// What the detector saw, sorted out by the policy: the page, and what lies on it.
struct PassportScene {
    /// The page with the best score, or the best candidate for one that no score lets count.
    let page: Detection?
    /// Everything that reaches its class's threshold, best first.
    let counted: [Detection]
    /// Everything from the policy's floor on, best first.
    let all: [Detection]
    let policy: CheckPolicy

    init(_ detections: [Detection], _ policy: CheckPolicy) {
        self.policy = policy
        all = detections
        counted = detections.filter { $0.score >= policy.detector.threshold($0.name) }
        let pages = counted.filter { $0.name == "page" }
        let withFields = pages.first { page in
            detections.contains { Self.isField($0, policy) && page.box.holdsCentre(of: $0.box) }
        }
        page = withFields ?? pages.first ?? detections.first { $0.name == "page" }
    }

    /// A photo or an MRZ that counts.
    private static func isField(_ detection: Detection, _ policy: CheckPolicy) -> Bool {
        (detection.name == "photo" || detection.name == "mrz") && detection.score >= policy.detector.threshold(detection.name)
    }

    /// The best of a class among what counts whose centre lies in the page.
    func field(_ name: String) -> Detection? {
        guard let page else { return nil }
        return counted.first { $0.name == name && page.box.holdsCentre(of: $0.box) }
    }

    /// The best of some classes whose centre lies in the page, also where its score is too low to count.
    func best(_ names: Set<String>) -> Detection? {
        guard let page else { return nil }
        return all.first { names.contains($0.name) && page.box.holdsCentre(of: $0.box) }
    }

    /// The best other document that lies where the page lies.
    var otherDocument: Detection? {
        guard let page else { return all.first { $0.name == "other_document" } }
        return all.first { $0.name == "other_document" && $0.box.overlap(page.box) >= 0.5 }
    }

    /// Where its fields lie in the page; absent stays absent (S52).
    var fields: FieldDetections? {
        guard let page else { return nil }
        func place(_ name: String) -> NormalizedRect? { field(name).flatMap { $0.box.within(page.box) } }
        return FieldDetections(photo: place("photo"), signature: place("signature"), mrz: place("mrz"))
    }

    /// Where the MRZ is, or where ICAO Doc 9303 part 4 puts it on a data page: its lowest 23.2 of 88 millimetres.
    func mrz(presumed: Bool) -> NormalizedRect? {
        if let found = field("mrz") { return found.box }
        guard presumed, let box = page?.box else { return nil }
        let height = box.height * 23.2 / 88
        return NormalizedRect(x: box.x, y: box.y + box.height - height, width: box.width, height: height)
    }
}
