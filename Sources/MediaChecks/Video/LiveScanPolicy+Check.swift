package import SessionDomain

extension LiveScanPolicy {
    /// What a policy's file says about live scans.
    package init(_ policy: LivePolicy, _ piece: Piece) {
        let isSelfie = piece == .selfie
        self.init(
            warmUpMilliseconds: Int64(policy.warmUpMilliseconds), sampleMilliseconds: Int64(policy.sampleMilliseconds),
            streak: isSelfie ? policy.selfieStreak : policy.passportStreak,
            holdMilliseconds: Int64(isSelfie ? policy.selfieHoldMilliseconds : policy.passportHoldMilliseconds),
            badFrames: policy.failStreak, lostMilliseconds: Int64(policy.lostMilliseconds),
            gapMilliseconds: Int64(policy.resetMilliseconds), averagedFrames: policy.averagedFrames,
            averageScore: policy.averageScore, guidanceMilliseconds: Int64(policy.guidanceMilliseconds),
            guidanceRepeatMilliseconds: Int64(policy.guidanceRepeatMilliseconds))
    }
}

extension SelfieLimits {
    /// What a policy's file says about live selfies.
    package init(_ policy: SelfiePolicy) {
        func tilt(_ limit: Double) -> HysteresisBand {
            HysteresisBand(enter: max(0, limit - policy.tiltHysteresis), leave: limit)
        }
        self.init(
            brightness: policy.brightness,
            margin: HysteresisBand(enter: policy.frameMarginEnter, leave: policy.frameMarginExit),
            // a face that came near enough may shrink by a tenth
            faceShare: HysteresisBand(enter: 1.1 * policy.faceArea, leave: policy.faceArea), tiltBack: tilt(policy.tiltBack),
            tiltForward: tilt(policy.tiltForward), tiltSideways: tilt(policy.tiltSideways))
    }
}
