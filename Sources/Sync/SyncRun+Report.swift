package import DeliveryMachine

extension SyncRun {
    /// What an idle run still waits for: an outcome that was promised, or, when it found nothing to do at all, a delivery
    /// that is nearly due.
    func nextDue() throws(DeliveryFault) -> Int64? {
        let horizon = clock.nowMilliseconds() + options.patienceMilliseconds
        // what was due when the queue was asked last and was not handed out is held back for another reason than time
        if let poll = polls.values.filter({ $0 > askedAt }).min() { return poll <= horizon ? poll : nil }
        guard claimed == 0, let due = try queue.backlog().nextDueAtMilliseconds, due > askedAt, due <= horizon else {
            return nil
        }
        for name in names {
            if let lane = lanes[name], !lane.isClosed(nowMilliseconds: horizon) { return due }
        }
        return nil
    }

    /// What was done and what is left, once the run is over.
    package func finalReport() throws(DeliveryFault) -> SyncReport {
        let backlog = try queue.backlog()
        report.retrying = retrying.count
        report.left = backlog.waiting
        report.oldestConfirmedAtMilliseconds = backlog.oldestConfirmedAtMilliseconds
        report.paused = []
        for name in names {
            guard let decider = lanes[name]?.decider, let pause = try queue.state(of: name).pause else { continue }
            let fingerprint = authority.fingerprint(of: decider.destination)
            if !decider.isLifted(pause, fingerprint: fingerprint) { report.paused.append(name) }
        }
        report.verdict =
            backlog.waiting == 0
            ? .drained : isEveryDestinationPaused(backlog) ? .everyDestinationPaused : .workLeft
        return report
    }

    /// Of those that something could be sent to; where nothing can be sent anywhere, of all that there are.
    private func isEveryDestinationPaused(_ backlog: Backlog) -> Bool {
        let wanted = backlog.destinations.isEmpty ? Set(names) : backlog.destinations
        return !wanted.isEmpty && wanted.isSubset(of: report.paused)
    }
}
