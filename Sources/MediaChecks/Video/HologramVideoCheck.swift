package import SessionDomain

/// The checks of one hologram video, frame by frame: memory does not grow with its length.
struct HologramVideoCheck {
    private let pipeline: CheckPipeline
    private let settings: HologramSettings
    private var policy: HologramVideoPolicy { pipeline.policy.hologram }

    init(_ pipeline: CheckPipeline, _ settings: HologramSettings) {
        self.pipeline = pipeline
        self.settings = settings
    }

    func report(_ video: any OpenVideo) throws(CheckFault) -> CheckReport {
        var report = CheckReport(policyVersion: pipeline.policyVersion)
        guard settings.hologramControlEnabled else { return report }
        let finder = try CardFinder(pipeline)
        let geometry = LetterboxGeometry(width: video.width, height: video.height, side: finder.side)
        var track = CardTrack()
        var measure = HologramMeasure(limits: policy.measure)
        var glare = 0.0
        var time: Int64 = 0
        while track.frames < policy.mostFrames, let frame = try Self.frame(video, at: time, finder.side) {
            let sight = try finder.look(at: frame.image, geometry)
            track.add(sight, atMilliseconds: frame.timeMilliseconds)
            if let card = sight.card {
                let crop = frame.image.scaled(
                    geometry.inSquare(card), width: measure.width, height: measure.height)
                glare += measure.add(crop, atMilliseconds: frame.timeMilliseconds)
            }
            // a file may say any time: the next one is later all the same, and never so late that it overflows
            time = max(time, frame.timeMilliseconds) + Int64(policy.sampleMilliseconds)
        }
        guard track.frames > 0 else { throw Self.nothingToSee }
        report.findings = findings(video, track, measure, glare: glare, finder.digest)
        report.failure = UploadCheck.failure(for: report.findings, piece: .hologram)
        return report
    }

    private func findings(
        _ video: any OpenVideo, _ track: CardTrack, _ measure: HologramMeasure, glare: Double, _ model: String
    ) -> [Finding] {
        var list = FindingList(policyVersion: pipeline.policyVersion)
        list.measure("video_frames", Double(track.frames))
        if let duration = video.durationMilliseconds { list.measure("video_ms", Double(duration)) }
        let question = CheckQuestion(piece: .hologram, source: .camera)
        let absence = Double(track.longestAbsence(step: Int64(policy.sampleMilliseconds)))
        list.judge(.cardShare, track.cardShare, pipeline.policy, question, settings, model: model)
        list.judge(.cardAbsence, absence, pipeline.policy, question, settings, model: model)
        list.judge(.faceSuccesses, Double(track.faces), pipeline.policy, question, settings, model: model)
        if track.cards > 0 {
            list.observe("glare_share", glare / Double(track.cards), .atMost, policy.glareShare)
        }
        if let share = measure.largestShare {
            list.observe("hologram_area_share", share, .atLeast, policy.areaShare)
        }
        if let time = measure.crossedAtMilliseconds { list.measure("hologram_crossed_ms", Double(time)) }
        return list.findings
    }

    private static func frame(
        _ video: any OpenVideo, at time: Int64, _ side: Int
    ) throws(CheckFault) -> VideoFrame? {
        do throws(DecodingRefusal) { return try video.frame(atMilliseconds: time, .letterbox(side: side)) } catch {
            throw CheckFault(error)
        }
    }

    private static var nothingToSee: CheckFault {
        CheckFault(
            DecodingRefusal(
                .unreadable, detail: "no_frame", message: "The video has no frame that can be decoded.",
                remedy: "Record the video again."))
    }
}

extension CheckPipeline {
    /// Looks at a hologram video; says nothing about it unless the session's on-device checks are on (S83).
    ///
    /// - Throws: as ``check(_:_:)``; a video without a frame is `undecodable` and fails as `media_unreadable` (S81).
    package func check(video: any OpenVideo, _ settings: HologramSettings) throws(CheckFault) -> CheckReport {
        try HologramVideoCheck(self, settings).report(video)
    }
}

extension FindingList {
    /// Measured beside a threshold that decides nothing: a person compares the two (K30).
    fileprivate mutating func observe(_ metric: String, _ value: Double, _ direction: Finding.Direction, _ threshold: Double) {
        add(Finding(metric: metric, value: value.toMillionths, direction: direction, threshold: threshold))
    }
}
