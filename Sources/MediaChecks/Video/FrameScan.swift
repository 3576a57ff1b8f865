package import SessionDomain

/// A live scan over frames that lie somewhere already: runs the pipeline over each one that the scan wants and keeps one of them.
package struct FrameScan {
    /// A frame that was looked at.
    package struct Seen: Sendable {
        package let number: Int
        package let timeMilliseconds: Int64
        package let report: CheckReport
        /// The frame, as large as was asked for; nil where no pixels are kept.
        package let image: RGBImage?
    }

    private let pipeline: CheckPipeline
    private var run: LiveScanRun
    /// Of the pixels that are kept; nil: none are.
    private let longestSide: Int?
    /// Of the streak; nil without one.
    private var best: Seen?
    /// The scan is over.
    package private(set) var captured: Seen?
    /// The newest one that was looked at.
    package private(set) var last: Seen?
    /// Frames that came.
    package private(set) var offered = 0
    package private(set) var lookedAt = 0
    /// Frames whose bytes gave no picture.
    package private(set) var unreadable = 0
    /// What the user would have been told, and how often.
    package private(set) var guidance: [LiveScanHint: Int] = [:]

    /// - Parameters:
    ///   - warmsUp: whether the first frames are dropped as the policy says; pictures that somebody chose need not be.
    ///   - longestSide: of the pixels that are kept of a frame; nil: none are.
    /// - Returns: nil for the hologram, which is no scan.
    package init?(
        _ piece: Piece, _ pipeline: CheckPipeline, passport: PassportChecks = .standard, selfie: SelfieChecks = .standard,
        warmsUp: Bool = true, longestSide: Int? = nil
    ) {
        var policy = pipeline.policy
        if !warmsUp { policy.live.warmUpMilliseconds = 0 }
        guard let run = LiveScanRun(piece, policy, passport: passport, selfie: selfie) else { return nil }
        self.pipeline = pipeline
        self.run = run
        self.longestSide = longestSide
    }

    /// From one frame that is looked at to the next, in milliseconds.
    package var interval: Int64 { max(1, Int64(pipeline.policy.live.sampleMilliseconds)) }

    /// Whether a frame of this time would be looked at.
    package func wantsFrame(atMilliseconds time: Int64) -> Bool { run.wantsFrame(atMilliseconds: time) }

    /// - Parameter picture: nil: its bytes gave none.
    /// - Throws: a ``CheckFault`` that is not the frame's own: without models or a decoder there is no scan.
    package mutating func look(
        at picture: (any OpenPicture)?, number: Int, timeMilliseconds time: Int64
    ) throws(CheckFault) {
        offered += 1
        guard run.wantsFrame(atMilliseconds: time) else { return }
        lookedAt += 1
        guard let picture, let seen = try see(picture, number, time) else {
            unreadable += 1
            best = nil
            _ = run.take(nil, frame: number, atMilliseconds: time)
            return
        }
        last = seen
        let action = run.take(seen.report, frame: number, atMilliseconds: time)
        switch run.bestFrame {
        case nil: best = nil
        case number?: best = seen
        default: break
        }
        switch action {
        case .skipped, .waiting: break
        case .guide(let hint): guidance[hint, default: 0] += 1
        case .capture: captured = best
        }
    }

    /// nil where the frame itself is at fault.
    private func see(_ picture: any OpenPicture, _ number: Int, _ time: Int64) throws(CheckFault) -> Seen? {
        do throws(CheckFault) {
            let report = try pipeline.check(picture, run.question())
            let image = try longestSide.map { (side) throws(CheckFault) in try picture.image(nil, .within(side)) }
            return Seen(number: number, timeMilliseconds: time, report: report, image: image)
        } catch {
            if error.blamesCapture { return nil }
            throw error
        }
    }
}
