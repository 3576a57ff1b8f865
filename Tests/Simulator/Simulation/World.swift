import DeliveryMachine
import SessionDomain
import Sync

/// A ledger, its workers, the network, the endpoints and the people around it, in virtual time. Everything that happens
/// follows from the plan and the seed.
package final class World {
    let plan: Plan
    let clock = VirtualClock()
    var agenda = Agenda()
    var trace: Trace
    package internal(set) var coverage = Coverage()
    /// The first promise that was broken; the world stops there.
    package internal(set) var violation: String?
    let ledger: ModelLedger
    var destinations: [Destination]
    var servers: [Server]
    let referee: Referee
    var clients: [Client] = []
    /// Which client each of the ledger's sessions belongs to, in the order in which they began.
    var sessionNumbers: [Int] = []
    /// Whose a video is, by its text in a request.
    var videos: [String: Server.Subject] = [:]
    var originals: [CaptureID: Original] = [:]
    var flights: [Flight] = []
    /// Spans that hold now, by their place in the plan.
    var activeSpans: Set<Int> = []
    var isHealed = false

    // each part of the world draws from a generator of its own
    var workerChance: Chance
    var networkChance: Chance
    var clientChance: Chance
    var runChance: Chance

    let processes: Processes
    var running: [WorkerProcess?]
    /// Who holds the lock of the one-shot runs.
    var lockHolder: Int?
    var skipped = 0
    private var depth = 0
    /// Since time moved last.
    private var stepsAtOnce = 0

    /// Names, for the ledger, which processes hold their locks.
    final class Processes {
        var all: [WorkerProcess?] = []
        func holdsLock(_ number: Int) -> Bool { all[number]?.holdsLock ?? false }
    }

    package init(plan: Plan, seed: UInt64, isTraced: Bool = false) {
        self.plan = plan
        trace = Trace(isKept: isTraced)
        var chance = Chance(seed: seed ^ 0x5EED_0F_0A_DA7)
        workerChance = chance.fork()
        networkChance = chance.fork()
        clientChance = chance.fork()
        runChance = chance.fork()
        let processes = Processes()
        self.processes = processes
        ledger = ModelLedger(deliveryID: { Names.delivery($1, $2) }, isHolderAlive: { processes.holdsLock($0) })
        running = plan.workers.map { _ in nil }
        servers = plan.servers.indices.map { Server(plan.servers[$0], name: Names.destination($0), chance: chance.fork()) }
        destinations = plan.servers.indices.map { World.destination($0, plan) }
        referee = Referee(plan)
        setUp()
    }

    private static func destination(_ number: Int, _ plan: Plan) -> Destination {
        let name = Names.destination(number)
        var destination = Destination(
            name: name, kind: number == 1 ? .hologram : .verifier, url: "https://\(name.text).example/submit")
        let server = plan.servers[number]
        if server.hasStatusTemplate { destination.statusURL = "https://\(name.text).example/status/{key}" }
        destination.inFlightLimit = server.inFlightLimit
        destination.retry = plan.retry
        destination.transfer.totalTimeoutMilliseconds = plan.totalTimeoutMilliseconds
        destination.destroysMediaAfterSending = number == 1 && plan.destroysVideo
        destination.credentialFingerprint = "1"
        return destination
    }

    private func setUp() {
        for (number, worker) in plan.workers.enumerated() {
            agenda.add(.start(worker: number), at: workerChance.within(0...worker.everyMilliseconds))
        }
        for number in 0..<plan.sessions.count {
            clients.append(Client())
            agenda.add(.client(number), at: clientChance.within(0...(plan.healsAt * 4 / 5)))
        }
        for (number, span) in plan.spans.enumerated() {
            agenda.add(.begin(span: number), at: span.begin)
            agenda.add(.end(span: number), at: span.end)
        }
        for (number, step) in plan.clockSteps.enumerated() { agenda.add(.clockStep(number), at: step.at) }
        for (number, reboot) in plan.reboots.enumerated() { agenda.add(.reboot(number), at: reboot.at) }
        for change in plan.credentialChanges {
            agenda.add(.credential(server: change.server, isKnown: false), at: change.at)
            agenda.add(.credential(server: change.server, isKnown: true), at: change.noticedAt)
        }
        agenda.add(.operate, at: plan.operatorEvery)
        agenda.add(.heal, at: plan.healsAt)
    }

    // MARK: time

    /// Lives through the day and the healing after it.
    package func run() {
        while violation == nil, let next = agenda.nextTime, next <= plan.healsAt + Referee.healingBound {
            step()
            if isHealed, isIdle { break }
        }
        if violation == nil { referee.checkEnd(self) }
    }

    private func step() {
        guard let (time, happening) = agenda.next() else { return }
        stepsAtOnce = time == clock.elapsed ? stepsAtOnce + 1 : 0
        clock.move(to: time)
        perform(happening)
        if trace.steps > Referee.stepLimit { breaks("the world does not come to rest: \(trace.steps) steps") }
        // also where nothing that is worth a line happens
        if stepsAtOnce > Referee.stepLimit / 20 { breaks("time stands still: \(stepsAtOnce) steps at once") }
    }

    /// Lets the rest of the world go on while one process stands still between two steps.
    func pass(time: Int64) {
        depth += 1
        defer { depth -= 1 }
        let until = clock.elapsed + time
        while violation == nil, let next = agenda.nextTime, next <= until { step() }
        clock.move(to: until)
    }

    var mayStandStill: Bool { depth < 2 }

    private var isIdle: Bool {
        ledger.open.allSatisfy { ledger.deliveries[$0].isBlocked } && running.allSatisfy { $0 == nil }
    }

    private func perform(_ happening: Agenda.Happening) {
        switch happening {
        case .start(let worker): start(worker)
        case .wake(let process, let alarm): wake(process, alarm)
        case .arrival(let flight): arrive(flight)
        case .answer(let flight): answer(flight)
        case .client(let number): act(number)
        case .operate: operate()
        case .signal(let process): signal(process)
        case .kill(let process): kill(process)
        case .hang(let process): hang(process)
        case .loseLock(let process): loseLock(process)
        case .begin(let span): begin(span)
        case .end(let span): activeSpans.remove(span)
        case .clockStep(let number): stepClock(number)
        case .credential(let server, let isKnown): changeCredential(server, isKnown)
        case .reboot(let number): reboot(number)
        case .heal: heal()
        }
    }

    // MARK: what everybody uses

    /// A promise was broken: the world ends here.
    func breaks(_ promise: String) {
        guard violation == nil else { return }
        violation = promise
        note(0xBAD, "BROKEN: \(promise)")
    }

    func note(_ code: UInt64, _ line: @autoclosure () -> String) { trace.add(clock.elapsed, code, line()) }

    package var text: String { trace.text }
    package var digest: UInt64 { trace.digest }
    package var steps: Int { trace.steps }

    func isErased(_ session: SessionID) -> Bool {
        sessionNumbers.firstIndex(of: Names.number(session)).map { ledger.sessions[$0].state.isErased } ?? false
    }
}
