package import SessionDomain

/// A live scan over what the pipeline says about frames: either machine, by the piece.
package struct LiveScanRun: Sendable {
    private enum Machine {
        case passport(PassportLiveScan)
        case selfie(SelfieLiveScan)
    }

    package let piece: Piece
    private var machine: Machine
    private let passport: PassportChecks
    private let selfie: SelfieChecks

    /// - Parameters:
    ///   - piece: a passport page or the selfie; nil for the hologram, which is no scan.
    ///   - startedAt: on the frames' clock.
    package init?(
        _ piece: Piece, _ policy: CheckPolicy, passport: PassportChecks = .standard, selfie: SelfieChecks = .standard,
        startedAtMilliseconds startedAt: Int64 = 0
    ) {
        switch piece {
        case .passportFront, .passportBack:
            machine = .passport(
                PassportLiveScan(
                    checks: passport, policy: LiveScanPolicy(policy.live, piece), startedAtMilliseconds: startedAt))
        case .selfie:
            machine = .selfie(
                SelfieLiveScan(
                    checks: selfie, limits: SelfieLimits(policy.selfie), policy: LiveScanPolicy(policy.live, piece),
                    startedAtMilliseconds: startedAt))
        case .hologram: return nil
        }
        self.piece = piece
        self.passport = passport
        self.selfie = selfie
    }

    /// What the pipeline is asked about each frame.
    package func question(_ measurements: [Measurement] = []) -> CheckQuestion {
        CheckQuestion(piece: piece, source: .camera, passport: passport, selfie: selfie, measurements: measurements)
    }

    package func wantsFrame(atMilliseconds time: Int64) -> Bool {
        switch machine {
        case .passport(let scan): scan.wantsFrame(atMilliseconds: time)
        case .selfie(let scan): scan.wantsFrame(atMilliseconds: time)
        }
    }

    /// - Parameter report: nil where the models said nothing about the frame.
    package mutating func take(_ report: CheckReport?, frame: Int, atMilliseconds time: Int64) -> LiveScanAction {
        switch machine {
        case .passport(var scan):
            let action = scan.observe(PassportFrame(report, number: frame, timeMilliseconds: time))
            machine = .passport(scan)
            return action
        case .selfie(var scan):
            let action = scan.observe(SelfieFrame(report, number: frame, timeMilliseconds: time))
            machine = .selfie(scan)
            return action
        }
    }

    /// The best frame of the streak so far.
    package var bestFrame: Int? {
        switch machine {
        case .passport(let scan): scan.bestFrame
        case .selfie(let scan): scan.bestFrame
        }
    }
}
