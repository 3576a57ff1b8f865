import DeliveryMachine

extension Plan {
    static let day: Int64 = 86_400_000

    /// A day of this seed: mild or wild in each respect, independently of the others.
    package init(seed: UInt64) {
        self.init()
        var chance = Chance(seed: seed)
        if chance.happens(20_000) { healsAt = 4 * Self.day }
        drawWorkers(&chance)
        drawSessions(&chance)
        drawNetwork(&chance)
        servers = (0..<(2 + chance.below(2))).map { _ in Self.server(&chance) }
        drawSpans(&chance)
        drawClock(&chance)
        drawMishaps(&chance)
        if chance.happens(200_000) { retry.attemptLimit = 3 + chance.below(6) }
        if chance.happens(300_000) { totalTimeoutMilliseconds = 20_000 + chance.below(60_000) }
        destroysVideo = chance.happens(300_000)
        operatorEvery = chance.within(1_200_000...14_400_000)
        for reboot in reboots.indices where chance.happens(400_000) {
            reboots[reboot].clockError = chance.within(-31 * Self.day...31 * Self.day)
        }
    }

    private mutating func drawWorkers(_ chance: inout Chance) {
        let count =
            chance.happens(700_000) ? 1 + chance.below(3) : chance.happens(800_000) ? 2 + chance.below(8) : 1 + chance.below(50)
        isExclusive = chance.happens(650_000)
        workers = (0..<count).map { _ in
            var worker = Worker()
            // many workers start seldom, so that a seed stays cheap
            worker.everyMilliseconds = 60_000 * Int64(1 + count / 3) * (chance.happens(300_000) ? 5 : 1)
            if chance.happens(100_000) { worker.everyMilliseconds = chance.within(5_000...30_000) * Int64(1 + count / 2) }
            worker.splayMilliseconds = chance.happens(700_000) ? chance.within(0...50_000) : 0
            if chance.happens(250_000) { worker.deadlineMilliseconds = chance.spread(1_000...300_000) }
            if chance.happens(150_000) { worker.limit = 1 + chance.below(5) }
            return worker
        }
    }

    private mutating func drawSessions(_ chance: inout Chance) {
        sessions.count = 1 + chance.below(chance.happens(200_000) ? 16 : 6)
        sessions.pieces = 1 + chance.below(3)
        sessions.strict = chance.pick([0, 500_000, 1_000_000])
        sessions.hologram = chance.pick([0, 300_000, 700_000])
        sessions.poisoned = chance.happens(120_000) ? 80_000 : 0
        sessions.damaged = chance.happens(120_000) ? 60_000 : 0
        sessions.supersede = chance.pick([0, 50_000, 250_000])
    }

    private mutating func drawNetwork(_ chance: inout Chance) {
        func share(_ most: Int) -> Int { chance.happens(600_000) ? chance.below(most) : 0 }
        network.notConnected = share(200_000)
        network.reset = share(150_000)
        network.answerLost = share(200_000)
        network.duplicated = share(100_000)
        network.late = share(80_000)
        network.slow = share(200_000)
    }

    private static func server(_ chance: inout Chance) -> Server {
        func share(_ most: Int) -> Int { chance.happens(600_000) ? chance.below(most) : 0 }
        var server = Server()
        server.knowsKeys = chance.happens(700_000)
        server.hasStatusTemplate = chance.happens(400_000)
        server.inFlightLimit = 1 + chance.below(4)
        server.accepted = chance.happens(400_000) ? chance.pick([100_000, 500_000, 1_000_000]) : 0
        server.forgets = share(150_000)
        server.failsBefore = share(200_000)
        server.failsAfter = share(150_000)
        server.throttles = share(120_000)
        server.breaksContract = share(60_000)
        server.refuses = share(25_000)
        server.rejects = share(300_000)
        server.undecided = share(80_000)
        server.renewsCredential = chance.happens(400_000)
        return server
    }

    private mutating func drawSpans(_ chance: inout Chance) {
        if healsAt > Self.day {
            let begin = chance.within(3_600_000...Self.day / 2)
            spans.append(
                Span(.offline, server: nil, begin: begin, end: min(healsAt, begin + chance.within(58...64) * 3_600_000)))
        }
        let kinds: [Span.Kind] = [
            .offline, .untrusted, .failing, .refusingConnections, .silent, .throttling, .captivePortal, .redirecting, .refusing,
            .gone,
        ]
        for _ in 0..<chance.below(5) {
            let begin = chance.within(0...healsAt - 60_000)
            let end = min(healsAt, begin + chance.spread(30_000...36_000_000))
            let kind = chance.pick(kinds)
            let server = chance.happens(750_000) && kind != .offline ? chance.below(servers.count) : nil
            spans.append(Span(kind, server: server, begin: begin, end: end))
        }
        for server in servers.indices where chance.happens(200_000) {
            let at = chance.within(0...healsAt)
            credentialChanges.append((at, server, min(healsAt, at + chance.spread(1_000...20_000_000))))
        }
    }

    private mutating func drawClock(_ chance: inout Chance) {
        for _ in 0..<(chance.happens(300_000) ? 1 + chance.below(4) : 0) {
            let isLarge = chance.happens(500_000)
            let most: Int64 = isLarge ? 31 * Self.day : 60_000
            clockSteps.append((chance.within(0...healsAt), chance.within(-most...most)))
        }
        reboots = (0..<(chance.happens(200_000) ? 1 + chance.below(3) : 0)).map { _ in
            (chance.within(0...healsAt), 0)
        }
    }

    private mutating func drawMishaps(_ chance: inout Chance) {
        mishaps.crash = chance.happens(400_000) ? chance.below(300_000) : 0
        mishaps.kill = chance.happens(300_000) ? chance.below(200_000) : 0
        mishaps.signal = chance.happens(300_000) ? chance.below(150_000) : 0
        mishaps.pause = chance.happens(300_000) ? chance.below(10_000) : 0
        mishaps.diskFull = chance.happens(150_000) ? chance.below(20_000) : 0
        mishaps.hang = chance.happens(300_000) ? chance.below(150_000) : 0
        mishaps.lostLock = chance.happens(100_000) ? chance.below(150_000) : 0
    }
}
