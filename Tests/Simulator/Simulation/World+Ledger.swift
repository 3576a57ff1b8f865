import DeliveryMachine
import SessionDomain

/// What a process does to the ledger, seen by the referee.
extension World {
    func claim(
        _ quotas: [ClaimQuota], by process: WorkerProcess, _ now: Int64, _ fixing: (ClaimedDelivery) -> FrozenBody?
    ) -> [ClaimedDelivery] {
        let claims = ledger.claim(quotas, holder: process.number, now: now, fixing: fixing)
        referee.noteClaims(claims, process, self)
        for claim in claims {
            note(
                11 &+ claim.id.uuid.low << 8,
                "w\(process.worker).\(process.number) claims \(short(claim.id)), fence \(claim.fence), claims \(claim.claims)")
        }
        return claims
    }

    func settle(_ endings: [ClaimEnding], by process: WorkerProcess) -> Set<DeliveryID> {
        var lost: Set<DeliveryID> = []
        for ending in endings {
            guard let number = ledger.number(of: ending.claim.id) else { continue }
            let before = ledger.deliveries[number]
            let stateBefore = ledger.state(of: ending.claim.destination)
            let refused = ledger.settle([ending], now: clock.corrected)
            lost.formUnion(refused)
            let name = "w\(process.worker).\(process.number)"
            guard refused.isEmpty else {
                coverage.note(.lateSettleFenced)
                note(12, "\(name) lost \(short(ending.claim.id))")
                continue
            }
            if case .rejected? = ending.settlement.outcome { coverage.note(.rejected) }
            note(13 &+ ending.claim.id.uuid.low << 8, "\(name) settles \(short(ending.claim.id)): \(words(ending.settlement))")
            referee.noteSettled(ending, stateBefore: stateBefore, before, self)
        }
        return lost
    }

    private func words(_ settlement: Settlement) -> String {
        var text: String
        switch settlement.state {
        case .delivered: text = settlement.attempt?.explanation.rawValue ?? "delivered"
        case .parked(let cause): text = "parked, \(cause.rawValue)"
        case .waiting(let until, let because): text = "\(because.rawValue), again in \(until - clock.corrected) ms"
        }
        text += ", attempts \(settlement.work.attempts)"
        for change in settlement.destinationChanges {
            switch change {
            case .pause(let pause): text += ", pause \(pause.reason.rawValue)"
            case .resume: text += ", resume"
            case .breaker(let breaker):
                text += breaker.map { ", breaker for \($0.untilMilliseconds - clock.corrected) ms" } ?? ", breaker shut"
            default: break
            }
        }
        return text
    }
}
