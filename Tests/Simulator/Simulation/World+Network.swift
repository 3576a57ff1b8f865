import DeliveryMachine
import SessionDomain

extension World {
    // MARK: requests leave

    func send(_ request: TransferRequest, by process: WorkerProcess) throws(DeliveryFault) -> Int {
        guard let server = servers.firstIndex(where: { $0.isAt(request.url) }) else {
            breaks("a request went to \(request.url), which no destination has")
            throw WorkerProcess.died
        }
        var bytes: [UInt8] = []
        var fault: DeliveryFault?
        if let body = request.body {
            do throws(DeliveryFault) {
                while true {
                    let more = try body.read(at: Int64(bytes.count), limit: 65_536)
                    if more.isEmpty { break }
                    bytes += more
                }
            } catch { fault = error }
        }
        let flight = Flight(
            request, body: bytes, process: process.number, server: server, at: clock.elapsed, corrected: clock.corrected)
        let number = flights.count
        flights.append(flight)
        let name = "w\(process.worker).\(process.number)"
        note(20 &+ request.token.uuid.low << 8, "\(name) \(request.method.rawValue) \(short(request.token)) f\(number)")
        referee.checkSend(request, flight, process, self)
        if let fault {
            coverage.note(.mediaDamaged)
            flight.bytesSent = Int64(bytes.count)
            finish(number, flight.ended(42, at: clock.corrected, fault: fault), at: clock.elapsed)
        } else {
            dispatch(number, flight)
        }
        return number
    }

    /// What becomes of a request on its way there.
    private func dispatch(_ number: Int, _ flight: Flight) {
        let weather = plan.network
        let latency = networkChance.spread(1...250)
        let now = clock.elapsed
        if isOffline {
            let isSilent = networkChance.happens(300_000)
            return fail(number, flight, code: isSilent ? 28 : networkChance.pick([6, 7]), after: isSilent ? 10_000 : latency)
        }
        if holds(.untrusted, flight.server) {
            coverage.note(.untrusted)
            return fail(number, flight, code: 60, after: 3 * latency)
        }
        if holds(.refusingConnections, flight.server) || roll(weather.notConnected) {
            coverage.note(.notConnected)
            return fail(number, flight, code: networkChance.pick([5, 6, 7, 7, 35]), after: latency)
        }
        let isSlow = roll(weather.slow)
        let upload = isSlow ? networkChance.spread(1_000...900_000) : networkChance.spread(1...3_000)
        if roll(weather.reset) {
            coverage.note(.resetMidUpload)
            flight.bytesSent = 1 + Int64(networkChance.below(max(1, Int(flight.length) - 1)))
            let after = min(latency + upload / 2, Int64(plan.totalTimeoutMilliseconds))
            let status = networkChance.happens(300_000) ? 100 : 0
            return finish(
                number, flight.ended(networkChance.pick([55, 56, 56, 65, 92]), status: status, at: clock.corrected + after),
                at: now + after)
        }
        flight.bytesSent = flight.length
        if roll(weather.late) {
            // it lies in a proxy, and the client gives up long before it arrives
            coverage.note(.arrivedLate)
            let patience = networkChance.happens(500_000) ? Int64(plan.totalTimeoutMilliseconds) : latency + upload
            let after = min(patience, Int64(plan.totalTimeoutMilliseconds))
            let code: Int32 = after == Int64(plan.totalTimeoutMilliseconds) ? 28 : networkChance.pick([52, 56])
            finish(number, flight.ended(code, at: clock.corrected + after), at: now + after)
            return arrives(number, flight, at: now + networkChance.spread(1_000...7_200_000))
        }
        if roll(weather.duplicated) {
            // libcurl sends it again on a new connection when a reused one breaks, and does not say so
            coverage.note(.duplicated)
            flight.ignoresAnswers = 1
            arrives(number, flight, at: now + latency + upload)
            arrives(number, flight, at: now + 2 * latency + upload + networkChance.spread(1...5_000))
        } else {
            arrives(number, flight, at: now + latency + upload)
        }
        if roll(weather.answerLost) {
            coverage.note(.answerLost)
            flight.losesAnswer = networkChance.pick([
                (52, 0), (56, 0), (18, 200), (16, 0), (95, 0), (1, 200), (92, 0), (55, 100),
            ])
            if flight.losesAnswer?.status == 200 { coverage.note(.answerCut) }
        }
        let deadline = now + Int64(plan.totalTimeoutMilliseconds)
        agenda.add(.answer(flight: number), at: deadline)
    }

    private func roll(_ share: Int) -> Bool { !isHealed && networkChance.happens(share) }

    var isOffline: Bool { activeSpans.contains { plan.spans[$0].kind == .offline } }

    func holds(_ kind: Plan.Span.Kind, _ server: Int) -> Bool {
        activeSpans.contains {
            plan.spans[$0].kind == kind && (plan.spans[$0].server == nil || plan.spans[$0].server == server)
        }
    }

    private func fail(_ number: Int, _ flight: Flight, code: Int32, after: Int64) {
        if isOffline { coverage.note(.offline) }
        finish(number, flight.ended(code, at: clock.corrected + after), at: clock.elapsed + after)
    }

    private func finish(_ number: Int, _ result: TransferResult, at time: Int64) {
        flights[number].result = result
        agenda.add(.answer(flight: number), at: time)
    }

    private func arrives(_ number: Int, _ flight: Flight, at time: Int64) {
        flight.arrivals += 1
        agenda.add(.arrival(flight: number), at: time)
    }

    // MARK: requests arrive

    func arrive(_ number: Int) {
        let flight = flights[number]
        flight.arrivals -= 1
        guard flight.arrivals >= 0 else { return }
        let server = flight.server
        guard let reply = servers[server].handle(flight, self) else { return }
        note(
            21 &+ UInt64(reply.status),
            "\(destinations[server].name.text) answers \(short(flight.token)) f\(number): \(reply.status) \(reply.why)")
        if flight.ignoresAnswers > 0 {
            flight.ignoresAnswers -= 1
            return
        }
        guard flight.result == nil, !flight.isOver else { return }
        let back = networkChance.spread(1...250) + reply.delay
        if reply.delay > 1_000 { coverage.note(.slowAnswer) }
        let result: TransferResult
        if let lost = flight.losesAnswer {
            result = flight.ended(lost.code, status: lost.status, at: clock.corrected + back)
        } else {
            result = flight.ended(
                0, status: reply.status, headers: reply.headers, body: Array(reply.body.utf8), at: clock.corrected + back)
        }
        // the transfer's own end comes first when this takes longer
        guard clock.elapsed + back < flight.startedAt + Int64(plan.totalTimeoutMilliseconds) else { return }
        finish(number, result, at: clock.elapsed + back)
    }

    // MARK: the client is told

    func answer(_ number: Int) {
        let flight = flights[number]
        guard !flight.isOver, let process = processes.all[flight.process] else { return }
        flight.isOver = true
        if flight.result == nil { coverage.note(.timedOut) }
        noteSent(flight)
        let result = flight.result ?? flight.ended(28, at: clock.corrected)
        hand(result, to: process)
    }

    private func hand(_ result: TransferResult, to process: WorkerProcess) {
        process.flights[result.token] = nil
        process.inbox.append(result)
        referee.noteHeard(result.token, self)
        if !process.isInTurn { setAlarm(process, at: max(clock.elapsed, process.hungUntil)) }
    }

    /// The run ends a transfer: its result comes from the next wait.
    func cancel(_ number: Int, of process: WorkerProcess) {
        let flight = flights[number]
        coverage.note(.aborted)
        abandon(number)
        let stopped = DeliveryFault(.stopped, message: "Stopped.", remedy: "Run again.")
        process.flights[flight.token] = nil
        process.inbox.append(flight.ended(42, at: clock.corrected, fault: stopped))
    }

    /// The client's side is gone; what has left may arrive all the same, or only a part of it.
    func abandon(_ number: Int) {
        let flight = flights[number]
        flight.isOver = true
        if flight.arrivals > 0, networkChance.happens(400_000) {
            flight.arrivals = 0
            let share = networkChance.below(1_000)
            flight.bytesSent = flight.length * Int64(share) / 1_001
        }
        noteSent(flight)
    }

    private func noteSent(_ flight: Flight) {
        if !flight.isQuestion, flight.bytesSent >= flight.length { referee.noteHandedOver(flight.token) }
    }

    func short(_ delivery: DeliveryID) -> String { "d\(Names.number(delivery))" }
}
