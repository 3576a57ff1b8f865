import MediaChecks
import SessionDomain
import Testing

/// The table of S51, once a metric that can fail a capture.
@Suite struct UploadCheckTests {
    private static let passport: [(metric: String, failure: CaptureFailure)] = [
        ("page_score", .noDocument), ("page_with_photo_or_mrz", .noDocument), ("page_without_photo", .noDocument),
        ("other_document_score", .noDocument), ("finger_overlap", .fingers), ("glare_score", .glare), ("glare_area", .glare),
        ("blur_score", .blurryPhoto), ("laplacian_variance", .blurryPhoto), ("brightness", .tooDark),
    ]
    private static let selfie: [(metric: String, failure: CaptureFailure)] = [
        ("face_count", .noFace), ("brightness", .tooDark), ("not_a_selfie_score", .notASelfie), ("glasses_score", .glasses),
        ("covered_face_score", .coveredFace),
    ]
    private static let live: [(metric: String, failure: CaptureFailure)] = [
        ("face_count", .noFace), ("brightness", .tooDark), ("face_margin", .outsideViewfinder), ("face_area", .tooFar),
        ("tilt_back_degrees", .leaningBack), ("tilt_forward_degrees", .leaningForward),
        ("tilt_sideways_degrees", .tiltedSideways), ("glasses_score", .glasses), ("covered_face_score", .coveredFace),
    ]

    private func check(_ table: [(metric: String, failure: CaptureFailure)], _ judge: ([Finding]) -> CaptureFailure?) {
        for (place, row) in table.enumerated() {
            func finding(_ metric: String, _ passed: Bool?) -> Finding { Finding(metric: metric, value: 0, passed: passed) }
            #expect(judge([finding(row.metric, false)]) == row.failure)
            #expect(judge([finding("client_" + row.metric, false)]) == row.failure)
            #expect(judge([finding(row.metric, true)]) == nil && judge([finding(row.metric, nil)]) == nil)
            // it comes before everything below it, in whatever order the findings are
            for later in table[(place + 1)...] where row.metric != "face_count" {
                #expect(judge([finding(later.metric, false), finding(row.metric, false)]) == row.failure)
            }
        }
        #expect(judge(table.map { Finding(metric: $0.metric, value: 1, passed: true) }) == nil)
        #expect(judge([Finding(metric: "of_a_newer_version", value: 1, passed: false)]) == nil)
    }

    @Test(arguments: [Piece.passportFront, .passportBack]) func `S50 S51 a page's findings become its failure`(piece: Piece) {
        check(Self.passport) { UploadCheck.failure(for: $0, piece: piece) }
        check(Self.passport) { UploadCheck.liveFailure(for: $0, piece: piece) }
    }

    @Test func `S51 a selfie's findings become its failure, by the rules of uploads or of live captures`() {
        check(Self.selfie) { UploadCheck.failure(for: $0, piece: .selfie) }
        check(Self.live) { UploadCheck.liveFailure(for: $0, piece: .selfie) }
        for metric in ["face_margin", "face_area", "tilt_back_degrees", "client_tilt_sideways_degrees"] {
            #expect(UploadCheck.failure(for: [Finding(metric: metric, value: 0, passed: false)], piece: .selfie) == nil)
        }
        let notASelfie = Finding(metric: "not_a_selfie_score", value: 1, passed: false)
        #expect(UploadCheck.liveFailure(for: [notASelfie], piece: .selfie) == nil)
    }

    @Test func `of no face the reason is named where one is known`() {
        let none = Finding(metric: "face_count", value: 0, passed: false)
        let several = Finding(metric: "face_count", value: 2, passed: false)
        let dark = Finding(metric: "brightness", value: 5, passed: false)
        let flower = Finding(metric: "not_a_selfie_score", value: 1, passed: false)
        #expect(UploadCheck.failure(for: [none, dark, flower], piece: .selfie) == .tooDark)
        #expect(UploadCheck.failure(for: [none, flower], piece: .selfie) == .notASelfie)
        #expect(UploadCheck.liveFailure(for: [none, flower], piece: .selfie) == .noFace)
        #expect(UploadCheck.failure(for: [several, dark, flower], piece: .selfie) == .severalFaces)
    }

    @Test func `S75 a hologram without a face success fails`() {
        let finding = Finding(metric: "face_successes", value: 0, passed: false)
        #expect(UploadCheck.failure(for: [finding], piece: .hologram) == .hologramFaceMissing)
    }

    @Test func `a threshold has a good and a bad side, and no number is on the good one`() {
        #expect(Finding.Direction.atLeast.holds(2, 2) && !Finding.Direction.atLeast.holds(1.9, 2))
        #expect(Finding.Direction.atMost.holds(2, 2) && !Finding.Direction.atMost.holds(2.1, 2))
        #expect(Finding.Direction.below.holds(1.9, 2) && !Finding.Direction.below.holds(2, 2))
        for direction in Finding.Direction.allCases { #expect(!direction.holds(.nan, 2)) }
    }
}
