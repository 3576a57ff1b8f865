import DeliveryMachine
import SessionDomain
import Sync

/// One process of a worker: the real `SyncRun` over ports that may kill it, or stop it for minutes, between any two steps.
final class WorkerProcess: DeliveryQueue, Transport, MediaSource, EvidenceSink, RequestAuthority {
    enum Fate {
        case runs, died, ended
    }

    unowned let world: World
    /// Also the name of its kernel lock.
    let number: Int
    let worker: Int
    var run: SyncRun?
    var fate = Fate.runs
    /// The kernel took it back, though the process lives: somebody removed the file, say.
    var holdsLock = true
    var stopRequest = StopRequest.none
    var hungUntil: Int64 = 0
    /// Steps in the middle of a turn: nothing may begin another.
    var isInTurn = false
    /// It stood still in this turn: what it read at its beginning may be out of date.
    var isBehind = false
    /// It hung or stood still at some time, which no deadline can help.
    var wasDelayed = false
    /// Claims made and not given back.
    var claims = 0
    var inbox: [TransferResult] = []
    var flights: [DeliveryID: Int] = [:]
    /// Only the newest of its alarms rings.
    var alarm = 0
    var progressAt: Int64
    var endsAt: Int64?
    /// Where it dies, and how many times it passes there first.
    var doom: (point: Coverage.Kind, passes: Int)?

    init(world: World, number: Int, worker: Int) {
        self.world = world
        self.number = number
        self.worker = worker
        progressAt = world.clock.elapsed
    }

    static let died = DeliveryFault(.init(rawValue: "storage_io"), message: "The process died.", remedy: "Start it again.")
    static let diskFull = DeliveryFault(.init(rawValue: "storage_full"), message: "The disk is full.", remedy: "Make room.")

    /// A place between two steps.
    private func pass(_ point: Coverage.Kind) throws(DeliveryFault) {
        if fate == .runs { world.pass(point, self) }
        if fate != .runs { throw Self.died }
    }

    private func write(_ before: Coverage.Kind) throws(DeliveryFault) {
        try pass(before)
        if world.isDiskFull(for: self) { throw Self.diskFull }
        world.clock.record()
    }

    // MARK: the queue

    func claim(
        _ quotas: [ClaimQuota], nowMilliseconds: Int64, fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        try write(.crashBeforeClaim)
        let claims = world.claim(quotas, by: self, nowMilliseconds, fixing)
        if !claims.isEmpty { try pass(.crashAfterClaim) }
        return claims
    }

    func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID> {
        try write(.crashBeforeSettle)
        let lost = world.settle(endings, by: self)
        try pass(.crashAfterSettle)
        return lost
    }

    func release(_ claims: [ClaimedDelivery]) throws(DeliveryFault) {
        try pass(.crashBeforeSettle)
        world.clock.record()
        world.ledger.release(claims)
        world.referee.noteReleased(claims, self)
    }

    func withdrawn(_ claims: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID> {
        if fate != .runs { throw Self.died }
        world.referee.noteLooked(claims, world.clock.elapsed)
        return world.ledger.withdrawn(claims)
    }

    func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState {
        if fate != .runs { throw Self.died }
        world.clock.record()
        return world.ledger.state(of: destination)
    }

    func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault) {
        try pass(.crashBeforeSettle)
        world.clock.record()
        world.ledger.apply(changes, to: destination)
    }

    func backlog() throws(DeliveryFault) -> Backlog {
        if fate != .runs { throw Self.died }
        return world.ledger.backlog()
    }

    // MARK: evidence, media, credentials

    func archive(_ answers: [EndedClaim]) -> [Result<EvidenceReference, DeliveryFault>] {
        do throws(DeliveryFault) { try write(.crashBeforeArchive) } catch { return answers.map { _ in .failure(error) } }
        return answers.map { answer in
            guard !world.isErased(answer.claim.session) else {
                return .failure(DeliveryFault(.evidenceUnavailable, message: "The session was erased.", remedy: "None."))
            }
            return .success(EvidenceReference(id: "evidence", sha256: []))
        }
    }

    func open(_ capture: CaptureID) throws(DeliveryFault) -> any MediaReader {
        if fate != .runs { throw Self.died }
        return try world.open(capture, for: self)
    }

    func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
        [Header("Authorization", world.credential(of: destination.name))]
    }

    func renew(_ destination: Destination) throws(DeliveryFault) -> Bool { world.renewCredential(of: destination.name) }

    func fingerprint(of destination: Destination) -> String? { world.credential(of: destination.name) }

    // MARK: the network

    func start(_ request: TransferRequest) throws(DeliveryFault) {
        if fate != .runs { throw Self.died }
        flights[request.token] = try world.send(request, by: self)
        try pass(.crashMidTransfer)
    }

    /// Asked while a step is done aside only: else the world waits for the network, not the process.
    func wait(milliseconds: Int) throws(DeliveryFault) -> [TransferResult] {
        precondition(isInTurn, "a process that waits has no turn")
        if fate != .runs { throw Self.died }
        if !inbox.isEmpty { world.coverage.note(.heardMeanwhile) }
        defer { inbox.removeAll() }
        return inbox
    }

    func cancel(_ token: DeliveryID) {
        guard fate == .runs, let flight = flights[token] else { return }
        world.cancel(flight, of: self)
    }

    var transfersUnderWay: Int { flights.count + inbox.count }
}
