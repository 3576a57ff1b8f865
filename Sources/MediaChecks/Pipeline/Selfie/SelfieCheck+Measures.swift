import SessionDomain

extension SelfieCheck {
    /// Pose, and the quality measures that decide nothing, of the largest face.
    func measure(_ face: Face, _ model: String, _ list: inout FindingList) throws(CheckFault) {
        if let pose = HeadPose(face.mesh) {
            for (metric, degrees) in [(JudgedMetric.yaw, pose.yaw), (.pitch, pose.pitch), (.roll, pose.roll)] {
                // The sign is of interest, the rule is about its size.
                let isJudged = metric.threshold(pipeline.policy, question) != nil
                list.judge(
                    metric, isJudged ? abs(degrees) : degrees, pipeline.policy, question, region: face.box, model: model)
            }
        }
        guard policy.quality else { return }
        let luma = Luma(try picture.image(face.box, .within(256)))
        let mesh = face.mesh
        list.measure("quality_luminance_mean", FaceQuality.luminanceMean(luma.mean / 255), region: face.box)
        list.measure("quality_over_exposure", FaceQuality.exposure(luma.share(atLeast: 247)), region: face.box)
        list.measure("quality_under_exposure", FaceQuality.exposure(luma.share(atMost: 25)), region: face.box)
        list.measure(
            "quality_dynamic_range", FaceQuality.dynamicRange(bits: FaceQuality.entropy(luma.histogram)), region: face.box)
        list.measure("eye_distance_pixels", mesh.eyeDistance, model: model)
        list.measure("quality_eye_distance", FaceQuality.eyeDistance(mesh.eyeDistance), model: model)
        list.measure("quality_head_size", FaceQuality.headSize(mesh.headLength / Double(picture.height)), model: model)
    }
}

extension NormalizedRect {
    /// The smallest distance to an edge of the picture.
    var margin: Double { min(x, y, 1 - x - width, 1 - y - height) }
}

extension FindingList {
    /// Exactly one passes.
    mutating func judgeCount(_ metric: String, _ count: Double, model: String?) {
        add(Finding(metric: metric, value: count, passed: count == 1, threshold: 1, model: model))
    }
}
