/// How often each kind of fault, and each thing worth seeing, really happened.
package struct Coverage: Hashable, Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        // workers
        case crashBeforeClaim, crashAfterClaim, crashMidTransfer, crashBeforeArchive
        case crashBeforeSettle, crashAfterSettle, killed, signalledOnce, signalledTwice, hung, pausedMidStep, lockLost
        case lateSettleFenced, reboot, deadlineReached, limitReached, anotherRunWorks, diskFull, poisoned
        // clocks
        case smallClockStep, largeClockStep, wrongClockAtStart
        /// Heard while a step was done aside.
        case heardMeanwhile
        // network
        case offline, longWeekend, notConnected, untrusted, resetMidUpload, answerLost, answerCut, timedOut, duplicated
        case arrivedLate, slowAnswer, aborted
        // servers
        case accepted, acceptedInBody, foreignAddress, forgotten, failedBefore, failedAfter, throttled, throttledByDate,
            retryAfterElsewhere
        case outage, captivePortal, contractBreak, otherAnswer, redirected, refused, credentialRefused, gone, misdirected
        case inProgress, repeatedByKey, repeatedByBody
        // what people do
        case credentialChanged, credentialRenewed, rejected, superseded, cancelled, erased, transactionBoundLate, parked,
            requeued, resumed
        case quarantined, videoDestroyed, mediaDamaged
    }

    private var counts = [Int](repeating: 0, count: Kind.allCases.count)

    package init() {}

    package subscript(_ kind: Kind) -> Int { counts[kind.rawValue] }

    mutating func note(_ kind: Kind) { counts[kind.rawValue] += 1 }

    package mutating func add(_ other: Coverage) { for index in counts.indices { counts[index] += other.counts[index] } }

    package var missing: [Kind] { Kind.allCases.filter { self[$0] == 0 } }
}
