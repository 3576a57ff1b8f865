import MediaChecks
package import SessionDomain

/// What stored judgements would have come to under another policy. Its size does not depend on how many there are.
package struct RescoreReport: Sendable {
    /// An outcome that would be another one; nil: passed.
    package struct Change: Sendable, Hashable {
        package let piece: Piece
        package let from: CaptureFailure?
        package let to: CaptureFailure?
    }

    package struct Check: Sendable, Hashable {
        package let piece: Piece
        package let metric: String
    }

    package struct Verdicts: Sendable, Hashable {
        package fileprivate(set) var failsNow = 0
        package fileprivate(set) var passesNow = 0
        package fileprivate(set) var unchanged = 0
    }

    /// Why a judgement could not be made again.
    package struct Gap: Sendable, Hashable {
        package let piece: Piece
        /// nil: it concerns all of it.
        package let metric: String?
        /// A code: a gap of ``Rescoring``, `policy_unknown` or `without_findings`.
        package let reason: String
    }

    /// The policy that is tried.
    package let policyVersion: String
    /// Judgements that were looked at; one that came too late to change anything is none.
    package fileprivate(set) var judgements = 0
    package fileprivate(set) var unchanged = 0
    package fileprivate(set) var changes: [Change: Int] = [:]
    package fileprivate(set) var checks: [Check: Verdicts] = [:]
    package fileprivate(set) var gaps: [Gap: Int] = [:]
    package internal(set) var lastPosition: Int64 = 0

    package var flips: Int { changes.values.reduce(0, +) }
    package var notRescored: Int { gaps.values.reduce(0, +) }
    package var rescored: Int { unchanged + flips }

    init(policyVersion: String) { self.policyVersion = policyVersion }

    /// - Returns: what would change.
    mutating func add(_ checked: PieceChecked, _ again: Rescoring) -> Change? {
        judgements += 1
        if let decisive = again.decisive {
            gaps[Gap(piece: checked.piece, metric: decisive.metric, reason: decisive.gap.rawValue), default: 0] += 1
            return nil
        }
        for finding in again.findings {
            let before = checked.findings.first { $0.metric == finding.metric }?.passed
            guard before != nil || finding.passed != nil else { continue }
            let key = Check(piece: checked.piece, metric: finding.metric)
            switch (before, finding.passed) {
            case (false, false): checks[key, default: Verdicts()].unchanged += 1
            case (_, false): checks[key, default: Verdicts()].failsNow += 1
            case (false, _): checks[key, default: Verdicts()].passesNow += 1
            default: checks[key, default: Verdicts()].unchanged += 1
            }
        }
        guard again.failure != checked.failure else {
            unchanged += 1
            return nil
        }
        let change = Change(piece: checked.piece, from: checked.failure, to: again.failure)
        changes[change, default: 0] += 1
        return change
    }

    mutating func skip(_ checked: PieceChecked, because reason: String) {
        judgements += 1
        gaps[Gap(piece: checked.piece, metric: nil, reason: reason), default: 0] += 1
    }
}

/// A capture whose judgement would be another one.
package struct RescoreFlip: Sendable {
    package let position: Int64
    package let session: SessionID
    package let capture: CaptureID
    package let change: RescoreReport.Change
}
