import CurlTransport
import DeliveryMachine
import Glibc
import SessionDomain
import Sync
import TestSupport

/// A row over one kind of connection: played through the real worker and the real transport.
struct Cell: Sendable {
    let row: Row
    let isReused: Bool
    let isSecure: Bool
    /// Its deliveries are `number` and, for the warm-up, the next.
    let number: Int

    var name: String { "\(row.name), \(isReused ? "reused" : "fresh")\(isSecure ? ", TLS" : "")" }

    /// What happened, so that a test can compare it with what should.
    struct Played: Sendable {
        var steps: [Expected] = []
        var drained: DeliveryState?
        var outcomes: [DeliveryOutcome] = []
        var attempts: [AttemptRecord] = []
        var seen: [HostileServer.Seen] = []
        var left = 0
        /// What an honest answer to it names.
        var identity = ""
        var failure: String?
    }

    var expected: [Expected] {
        if isSecure, let tls = row.tls { return tls }
        if isReused, let reused = row.reused { return reused }
        return row.steps.map(\.expected)
    }

    func play(_ server: HostileServer) -> Played { play(on: CellSite(self, server), server) }

    func play(on site: CellSite, _ server: HostileServer) -> Played {
        var played = Played()
        do { try play(on: site, server, &played) } catch { played.failure = "\(error)" }
        return played
    }

    private func play(on site: CellSite, _ server: HostileServer, _ played: inout Played) throws {
        let id = site.add(number)
        played.identity = site.identities[id] ?? ""
        let transport = try site.transport()
        if isReused {
            let first = site.add(number + 1)
            if let before = row.before { try server.rule(first, before.behaviour, before.options, times: 1) }
            site.onlyKeys = [first]
            _ = try site.run(over: transport, settings: { _ in })
            if row.before != nil { usleep(150_000) }
            site.onlyKeys = [id]
        }
        for (index, step) in row.steps.enumerated() {
            try server.rule(id, step.behaviour, step.options, times: step.times)
            if index > 0 { site.passTime(until: id) }
            _ = try site.run(over: index == 0 ? transport : site.transport(), settings: row.settings)
            played.steps.append(site.judge(id))
        }
        try server.heal(id)
        site.heal()
        for _ in 0..<12 where !site.queue.item(id).isFinished {
            site.passTime(until: id)
            _ = try site.run(over: site.transport(), settings: { _ in })
        }
        let item = site.queue.item(id)
        played.drained = item.state
        played.outcomes = item.outcomes
        played.attempts = item.attempts
        played.left = site.queue.items.count { !$0.isFinished }
        played.seen = try server.requests(id)
    }
}

/// The worker of one cell: a queue in memory, a destination, a clock that can be moved.
final class CellSite {
    let queue = MemoryQueue()
    let media = MemoryMedia()
    let evidence = MemoryEvidence()
    private let server: HostileServer
    private let cell: Cell
    private var destination: Destination
    private var ahead: Int64 = 0
    private var startedAt: Int64 = 0
    /// What an honest answer to each of them names.
    private(set) var identities: [DeliveryID: String] = [:]
    /// When set, only these are due.
    var onlyKeys: [DeliveryID]?
    private var held: Set<DeliveryID> = []

    init(_ cell: Cell, _ server: HostileServer) {
        self.cell = cell
        self.server = server
        let isVerifier = cell.row.kind == .verifier
        destination = Destination(name: isVerifier ? Claims.verifier : Claims.hologram, kind: cell.row.kind, url: "")
        let port = cell.row.port ?? (cell.isSecure ? "tls" : "plain")
        destination.url = server.url(cell.row.path ?? (isVerifier ? "/verifier" : "/hologram"), port: port)
        destination.inFlightLimit = 1
        destination.credentialFingerprint = "first"
        // a try again never falls into the same run by chance
        destination.retry.baseMilliseconds = 600_000
    }

    private var now: Int64 { Self.milliseconds(CLOCK_REALTIME) + ahead }

    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    func add(_ number: Int) -> DeliveryID {
        let submission = Submission(number, kind: cell.row.kind, size: cell.row.size)
        media.originals[submission.claim.capture] = .bytes(submission.media)
        identities[submission.claim.id] = submission.identity
        queue.add(submission.claim)
        return submission.claim.id
    }

    func transport() throws -> CurlMultiTransport { try CurlMultiTransport { Self.milliseconds(CLOCK_REALTIME) } }

    func run(over transport: any Transport, settings: (inout TransferSettings) -> Void) throws -> SyncReport {
        holdBack()
        var destination = destination
        destination.transfer.authorityFile = server.authority
        destination.transfer.connectTimeoutMilliseconds = 8_000
        destination.transfer.totalTimeoutMilliseconds = 20_000
        settings(&destination.transfer)
        let ahead = ahead
        startedAt = now
        var options = SyncOptions()
        options.patienceMilliseconds = 0
        return try SyncRun(
            queue: queue, transport: transport, media: media, evidence: evidence, destinations: [destination],
            options: options,
            clock: SyncClock(
                nowMilliseconds: { Self.milliseconds(CLOCK_REALTIME) + ahead },
                steadyMilliseconds: { Self.milliseconds(CLOCK_BOOTTIME) }),
            random: SeededGenerator(seed: UInt64(cell.number))
        ).run()
    }

    /// Puts what is not to be tried now an hour off.
    private func holdBack() {
        for index in queue.items.indices where !queue.items[index].isFinished {
            let id = queue.items[index].claim.id
            if let onlyKeys, !onlyKeys.contains(id) {
                queue.items[index].dueAt = now + 3_600_000
                held.insert(id)
            } else if held.remove(id) != nil {
                queue.items[index].dueAt = 0
            }
        }
    }

    /// The state of a delivery after a run, in the words of a row.
    func judge(_ id: DeliveryID) -> Expected {
        let item = queue.item(id)
        let attempt = item.attempts.last
        let pause = queue.states[item.claim.destination]?.pause
        let next: Expected.Next =
            switch item.state {
            case .delivered: item.outcomes.last?.isRejection(of: item.claim) == true ? .rejected : .applied
            case .parked(let cause): .parks(cause)
            case .waiting(_, .accepted): .polls
            case .waiting(let until, _):
                pause.map { $0.probeAtMilliseconds == nil && $0.reason != .unauthorized ? .disables : .pauses }
                    ?? .waits(max(0, until - startedAt) / 1_000)
            case nil: .waits(-1)
            }
        return Expected(
            attempt?.certainty ?? .notSent, attempt?.explanation ?? .stopped, next, spent: item.work.attempts)
    }

    /// The endpoint tells what it knows of a key.
    func asksForStatus() { destination.statusURL = server.url("/naive/status/{key}", port: cell.isSecure ? "tls" : "plain") }

    /// What a person would do, or time: the credential is changed, an endpoint that was switched off is switched on.
    func heal() {
        destination.credentialFingerprint = "second"
        let isVerifier = cell.row.kind == .verifier
        destination.url = server.url(
            cell.row.path ?? (isVerifier ? "/verifier" : "/hologram"),
            port: cell.isSecure || cell.row.port != nil ? "tls" : "plain")
        let name = destination.name
        if let pause = queue.states[name]?.pause, pause.probeAtMilliseconds == nil, pause.reason != .unauthorized {
            try? queue.apply([.resume], to: name)
        }
    }

    /// On to the moment at which the delivery may be tried again.
    func passTime(until id: DeliveryID) {
        let item = queue.item(id)
        let probe = queue.states[item.claim.destination]?.pause?.probeAtMilliseconds ?? 0
        let breaker = queue.states[item.claim.destination]?.breaker?.untilMilliseconds ?? 0
        ahead += max(0, max(max(probe, breaker), held.contains(id) ? 0 : item.dueAt) - now) + 1_000
    }
}
