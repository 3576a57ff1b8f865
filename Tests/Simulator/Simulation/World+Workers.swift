import DeliveryMachine
import SessionDomain
import Sync

extension World {
    // MARK: processes begin

    func start(_ worker: Int) {
        let habits = plan.workers[worker]
        let splay = habits.splayMilliseconds > 0 ? workerChance.within(0...habits.splayMilliseconds) : 0
        let nextStart = (clock.elapsed / habits.everyMilliseconds + 1) * habits.everyMilliseconds + splay
        agenda.add(.start(worker: worker), at: max(nextStart, clock.elapsed + 1))
        guard running[worker] == nil else { return }
        // a run that would find nothing to do is mostly left out, to keep a day cheap
        if !mayFindWork, !clock.hasJumped, workerChance.below(32) != 0 {
            skipped += 1
            return
        }
        if plan.isExclusive, let holder = lockHolder, processes.holdsLock(holder) {
            coverage.note(.anotherRunWorks)
            return
        }
        let process = WorkerProcess(world: self, number: processes.all.count, worker: worker)
        processes.all.append(process)
        running[worker] = process
        if plan.isExclusive { lockHolder = process.number }
        endanger(process)
        process.endsAt = habits.deadlineMilliseconds.map { clock.elapsed + $0 }
        note(1, "w\(worker).\(process.number) starts")
        process.run = run(of: process, habits)
        turn(process)
    }

    /// Whether a run that starts now could have anything to do: a claim, an idle wait, or the lifting of a pause.
    private var mayFindWork: Bool {
        let soon = clock.corrected + 6_000
        return ledger.open.contains {
            let delivery = ledger.deliveries[$0]
            return !delivery.isBlocked
                && (delivery.nextAttemptAt <= soon || delivery.nextAttemptAt > soon + RetryPolicy().longestWaitMilliseconds)
        }
    }

    private func run(of process: WorkerProcess, _ habits: Plan.Worker) -> SyncRun {
        var options = SyncOptions()
        options.deadlineMilliseconds = habits.deadlineMilliseconds
        options.limit = habits.limit
        let clock = clock
        return SyncRun(
            queue: process, transport: process, media: process, evidence: process, destinations: destinations,
            authority: process, options: options,
            clock: SyncClock(nowMilliseconds: { clock.corrected }, steadyMilliseconds: { clock.elapsed }),
            random: SeededGenerator(seed: runChance.next()), aside: SteppedAside(self),
            stop: { [unowned process] in process.stopRequest })
    }

    private func endanger(_ process: WorkerProcess) {
        guard !isHealed else { return }
        if workerChance.happens(plan.mishaps.crash) {
            let points: [Coverage.Kind] = [
                .crashBeforeClaim, .crashAfterClaim, .crashMidTransfer,
                .crashBeforeArchive, .crashBeforeSettle, .crashAfterSettle,
            ]
            process.doom = (workerChance.pick(points), workerChance.below(4))
        }
        let soon = clock.elapsed + workerChance.spread(1...60_000)
        if workerChance.happens(plan.mishaps.kill) { agenda.add(.kill(process: process.number), at: soon) }
        let next = clock.elapsed + workerChance.spread(1...5_000)
        if workerChance.happens(plan.mishaps.hang) { agenda.add(.hang(process: process.number), at: next) }
        if workerChance.happens(plan.mishaps.lostLock) { agenda.add(.loseLock(process: process.number), at: next) }
        if workerChance.happens(plan.mishaps.signal) {
            agenda.add(.signal(process: process.number), at: soon)
            if workerChance.happens(500_000) {
                agenda.add(.signal(process: process.number), at: soon + workerChance.spread(1...20_000))
            }
        }
    }

    // MARK: turns

    func wake(_ number: Int, _ alarm: Int) {
        guard let process = processes.all[number], process.alarm == alarm else { return }
        if process.isInTurn || clock.elapsed < process.hungUntil {
            setAlarm(process, at: max(process.hungUntil, clock.elapsed + 1))
            return
        }
        turn(process)
    }

    func setAlarm(_ process: WorkerProcess, at time: Int64) {
        process.alarm += 1
        agenda.add(.wake(process: process.number, turn: process.alarm), at: time)
    }

    private func turn(_ process: WorkerProcess) {
        guard let run = process.run else { return }
        if !process.inbox.isEmpty {
            process.progressAt = clock.elapsed
            let count = drawHeard(of: process.inbox.count)
            let results = Array(process.inbox.prefix(count))
            process.inbox.removeFirst(count)
            run.receive(results)
        }
        process.isBehind = false
        process.isInTurn = true
        defer { process.isInTurn = false }
        do throws(DeliveryFault) {
            switch try run.turn() {
            case .wait(let milliseconds): rest(process, milliseconds)
            case .over:
                let report = try run.finalReport()
                end(process, report)
            }
        } catch {
            guard process.fate == .runs else { return }
            note(2, "w\(process.worker).\(process.number) gives up: \(error.code.rawValue)")
            die(process)
        }
    }

    /// A thread that waited long is not woken to the millisecond: it saves the world many turns in which nothing happens.
    private func rest(_ process: WorkerProcess, _ milliseconds: Int) {
        guard process.fate == .runs else { return }
        if !process.inbox.isEmpty { return setAlarm(process, at: clock.elapsed) }
        var pause = Int64(milliseconds)
        if !process.flights.isEmpty { pause = max(pause, min((clock.elapsed - process.progressAt) / 2, 10_000)) }
        if let end = process.endsAt, end > clock.elapsed { pause = min(pause, end - clock.elapsed) }
        setAlarm(process, at: clock.elapsed + pause)
    }

    private func end(_ process: WorkerProcess, _ report: SyncReport) {
        note(3, "w\(process.worker).\(process.number) ends: \(report.delivered) delivered, \(report.left) left")
        if let end = process.endsAt, clock.elapsed >= end { coverage.note(.deadlineReached) }
        if let limit = plan.workers[process.worker].limit, report.delivered + report.retrying >= limit {
            coverage.note(.limitReached)
        }
        referee.checkEnd(of: process, report, self)
        retire(process, .ended)
    }

    // MARK: processes end

    /// A place between two steps: here a process may die, or stand still while the world goes on.
    func pass(_ point: Coverage.Kind, _ process: WorkerProcess) {
        if let doom = process.doom, doom.point == point {
            if doom.passes == 0 {
                coverage.note(point)
                note(4, "w\(process.worker).\(process.number) crashes: \(point)")
                return die(process)
            }
            process.doom = (point, doom.passes - 1)
        }
        guard !isHealed, workerChance.happens(plan.mishaps.pause), mayStandStill else { return }
        coverage.note(.pausedMidStep)
        let time = workerChance.spread(1...600_000)
        note(5, "w\(process.worker).\(process.number) stands still for \(time) ms: \(point)")
        process.isBehind = true
        process.wasDelayed = true
        pass(time: time)
    }

    func isDiskFull(for process: WorkerProcess) -> Bool {
        guard !isHealed, workerChance.happens(plan.mishaps.diskFull) else { return false }
        coverage.note(.diskFull)
        return true
    }

    /// The kernel frees its locks at once; what it had sent is on its way.
    func die(_ process: WorkerProcess) {
        referee.noteDeath(of: process, self)
        for flight in process.flights.values.sorted() { abandon(flight) }
        retire(process, .died)
    }

    private func retire(_ process: WorkerProcess, _ fate: WorkerProcess.Fate) {
        process.fate = fate
        process.holdsLock = false
        process.run = nil
        process.flights.removeAll()
        process.inbox.removeAll()
        processes.all[process.number] = nil
        running[process.worker] = nil
    }

    func kill(_ number: Int) {
        guard !isHealed, let process = processes.all[number] else { return }
        coverage.note(.killed)
        note(6, "w\(process.worker).\(number) is killed")
        die(process)
    }

    func signal(_ number: Int) {
        guard !isHealed, let process = processes.all[number] else { return }
        let isSecond = process.stopRequest != .none
        coverage.note(isSecond ? .signalledTwice : .signalledOnce)
        process.stopRequest = isSecond ? .abort : .finish
        note(7, "w\(process.worker).\(number) gets SIGTERM")
        if process.inbox.isEmpty { setAlarm(process, at: clock.elapsed) }
    }

    func hang(_ number: Int) {
        guard !isHealed, let process = processes.all[number] else { return }
        coverage.note(.hung)
        process.wasDelayed = true
        process.hungUntil = clock.elapsed + workerChance.spread(1_000...1_200_000)
        note(8, "w\(process.worker).\(process.number) hangs until \(Trace.stamp(process.hungUntil))")
    }

    /// Its file was removed, say: the others take it for dead, and it does not know.
    func loseLock(_ number: Int) {
        guard !isHealed, let process = processes.all[number] else { return }
        coverage.note(.lockLost)
        referee.noteDeath(of: process, self)
        process.holdsLock = false
        process.wasDelayed = true
        process.hungUntil = clock.elapsed + workerChance.spread(1_000...600_000)
        note(9, "w\(process.worker).\(process.number) loses its lock and hangs until \(Trace.stamp(process.hungUntil))")
    }

    func reboot(_ number: Int) {
        coverage.note(.reboot)
        note(10, "the machine restarts")
        for process in running.compactMap({ $0 }) { die(process) }
        let error = plan.reboots[number].clockError
        if error != 0 { coverage.note(.wrongClockAtStart) }
        clock.reboot(wrongBy: error)
    }
}
