import DeliveryMachine
import SessionDomain

/// What an endpoint says, after how long, and, for the trace, why.
struct Reply {
    var status: Int
    var headers: [Header] = []
    var body = ""
    var delay: Int64 = 0
    var why = ""
}

/// A scripted endpoint. It knows requests by what they say, as an honest one does, and counts what it has done.
final class Server {
    /// A capture as the body names it; a hologram by its video, whose request names neither session nor capture.
    struct Subject: Hashable {
        let session: String
        let piece: String
        let capture: String
    }

    struct Kept {
        let subject: Subject
        let body: [UInt8]
        let answer: String
        let readyAt: Int64
        var isForgotten = false
    }

    let plan: Plan.Server
    let name: DestinationName
    var chance: Chance
    /// Which credential is right, and which one our side has.
    var credential = 1
    var knownCredential = 1
    /// How often something was done for a subject.
    var effects: [Subject: Int] = [:]
    private var kept: [Kept] = []
    private var byKey: [DeliveryID: Int] = [:]
    private var bySubject: [Subject: Int] = [:]

    init(_ plan: Plan.Server, name: DestinationName, chance: Chance) {
        self.plan = plan
        self.name = name
        self.chance = chance
    }

    func isAt(_ url: String) -> Bool { url.hasPrefix("https://\(name.text).example/") }

    /// nil: it never answers.
    func handle(_ flight: Flight, _ world: World) -> Reply? {
        let number = Names.server(name)
        var reply = during(world, number)
        if reply?.status == 0 { return nil }
        reply = reply ?? credentialRefused(flight, world)
        let isFaulty = !world.isHealed
        if reply == nil, isFaulty { reply = misbehave(before: flight, world) }
        if var reply {
            reply.delay += pause(isFaulty)
            return reply
        }
        var answer = flight.isQuestion ? question(flight, world) : submission(flight, world)
        answer.delay += pause(isFaulty)
        if isFaulty, !flight.isQuestion { answer = misbehave(after: answer, flight, world) }
        return answer
    }

    private func pause(_ isFaulty: Bool) -> Int64 {
        isFaulty && chance.happens(20_000) ? chance.spread(1_000...700_000) : chance.spread(1...800)
    }

    // MARK: states of the whole endpoint

    private func during(_ world: World, _ number: Int) -> Reply? {
        if world.holds(.captivePortal, number) {
            world.coverage.note(.captivePortal)
            return Reply(
                status: 200, headers: [Header("Content-Type", "text/html")], body: "<html>Sign in</html>", why: "portal")
        }
        if world.holds(.silent, number) {
            world.coverage.note(.outage)
            return Reply(status: 0)
        }
        if world.holds(.failing, number) {
            world.coverage.note(.outage)
            return Reply(status: chance.pick([500, 502, 504, 520, 599]), why: "outage")
        }
        if world.holds(.throttling, number) { return throttle(world) }
        if world.holds(.redirecting, number) {
            world.coverage.note(.redirected)
            return Reply(
                status: chance.pick([301, 302, 307, 308]), headers: [Header("Location", "https://evil.example/")],
                why: "redirect")
        }
        if world.holds(.refusing, number) {
            world.coverage.note(.refused)
            return Reply(status: chance.pick([403, 404, 405, 407, 501, 511]), why: "refuses")
        }
        if world.holds(.gone, number) {
            world.coverage.note(.gone)
            return Reply(status: 410, why: "gone")
        }
        return nil
    }

    private func credentialRefused(_ flight: Flight, _ world: World) -> Reply? {
        guard flight.authorization != String(credential) else { return nil }
        world.coverage.note(.credentialRefused)
        return Reply(status: 401, why: "old credential")
    }

    private func throttle(_ world: World) -> Reply {
        let status = chance.pick([429, 503])
        let seconds = chance.spread(1...3_600)
        guard chance.happens(300_000) else {
            world.coverage.note(.throttled)
            return Reply(status: status, headers: [Header("Retry-After", String(seconds))], why: "in \(seconds) s")
        }
        // the endpoint's clock is its own
        world.coverage.note(.throttledByDate)
        let now = (VirtualClock.start + world.clock.elapsed) / 1_000 + Int64(chance.below(7_200)) - 3_600
        let headers = [Header("Date", HTTPDateText.text(now)), Header("Retry-After", HTTPDateText.text(now + seconds))]
        return Reply(status: status, headers: headers, why: "in \(seconds) s, by date")
    }

    // MARK: single requests that go wrong

    private func misbehave(before flight: Flight, _ world: World) -> Reply? {
        if chance.happens(plan.throttles) { return throttle(world) }
        if chance.happens(plan.failsBefore) {
            let status = chance.pick([408, 421, 423, 425, 500, 502, 503, 504, 507, 520, 530, 598, 599])
            world.coverage.note(status == 421 ? .misdirected : .failedBefore)
            var reply = Reply(status: status, why: "before it was taken in")
            if chance.happens(200_000) {
                world.coverage.note(.retryAfterElsewhere)
                reply.headers.append(Header("Retry-After", String(chance.spread(1...600))))
            }
            return reply
        }
        if chance.happens(plan.refuses) {
            world.coverage.note(.refused)
            return Reply(status: chance.pick([400, 411, 413, 414, 415, 431, 451, 404, 418]), why: "refuses this one")
        }
        return nil
    }

    private func misbehave(after answer: Reply, _ flight: Flight, _ world: World) -> Reply {
        if chance.happens(plan.failsAfter) {
            world.coverage.note(.failedAfter)
            return Reply(status: chance.pick([500, 502, 504, 524]), delay: answer.delay, why: "after it was taken in")
        }
        guard answer.status == 200, chance.happens(plan.breaksContract) else { return answer }
        world.coverage.note(.contractBreak)
        switch chance.below(4) {
        case 0:
            guard name.text != "hologram" else { break }
            world.coverage.note(.otherAnswer)
            let other = Names.capture(900_000).text
            return Reply(
                status: 200, body: #"{"outcome":"verified","capture_id":"\#(other)"}"#, delay: answer.delay, why: "another's")
        case 1: return Reply(status: 200, body: "", delay: answer.delay, why: "empty")
        case 2: return Reply(status: 200, body: "{}", delay: answer.delay, why: "no outcome")
        default: break
        }
        var doubled = answer
        doubled.headers += [Header("Content-Length", "7"), Header("content-length", "8")]
        doubled.why += " with two lengths"
        return doubled
    }

    // MARK: what it is there for

    private func submission(_ flight: Flight, _ world: World) -> Reply {
        guard let subject = world.subject(of: flight.body) else { return Reply(status: 400, why: "not understood") }
        if let number = plan.knowsKeys ? byKey[flight.token] : bySubject[subject] {
            if plan.knowsKeys, kept[number].body != flight.body {
                world.breaks("key of d\(Names.number(flight.token)) came with another body")
                return Reply(status: 422, why: "another body")
            }
            world.coverage.note(plan.knowsKeys ? .repeatedByKey : .repeatedByBody)
            return answer(number, flight, world)
        }
        if !world.isHealed, chance.happens(plan.undecided) {
            return Reply(status: 200, body: #"{"outcome":"failed","capture_id":"\#(subject.capture)"}"#, why: "no decision")
        }
        effects[subject, default: 0] += 1
        let number = kept.count
        kept.append(keep(subject, flight, world))
        byKey[flight.token] = number
        bySubject[subject] = number
        world.referee.checkEffect(effects[subject]!, subject, world)
        return answer(number, flight, world)
    }

    private func keep(_ subject: Subject, _ flight: Flight, _ world: World) -> Kept {
        let isRejected = chance.happens(plan.rejects)
        let text: String
        if name.text == "hologram" {
            let score = isRejected ? "0.25" : "0.93"
            text = #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":\#(score)}]}"#
        } else if isRejected {
            text = #"{"outcome":"rejected","reason":"too dark","capture_id":"\#(subject.capture)"}"#
        } else {
            text = #"{"outcome":"verified","payload":{"n":1},"capture_id":"\#(subject.capture)"}"#
        }
        let isAsynchronous = chance.happens(plan.accepted)
        let readyAt = world.clock.elapsed + (isAsynchronous ? chance.spread(500...(world.isHealed ? 60_000 : 3_600_000)) : 0)
        return Kept(subject: subject, body: flight.body, answer: text, readyAt: readyAt)
    }

    private func answer(_ number: Int, _ flight: Flight, _ world: World) -> Reply {
        guard world.clock.elapsed < kept[number].readyAt else {
            return Reply(status: 200, body: kept[number].answer, why: "decided")
        }
        if chance.happens(100_000), !world.isHealed {
            world.coverage.note(.inProgress)
            return Reply(status: 409, why: "in progress")
        }
        if !world.isHealed, chance.happens(20_000) {
            world.coverage.note(.foreignAddress)
            return Reply(
                status: 202, headers: [Header("Location", "https://evil.example/status/1")], why: "accepted, elsewhere")
        }
        world.coverage.note(.accepted)
        let address = "/status/\(number)"
        if chance.happens(500_000) { return Reply(status: 202, headers: [Header("Location", address)], why: "accepted") }
        world.coverage.note(.acceptedInBody)
        return Reply(status: 202, body: #"{"status_url":"\#(address)"}"#, why: "accepted")
    }

    private func question(_ flight: Flight, _ world: World) -> Reply {
        let last = flight.url.split(separator: "/").last ?? ""
        let number = Int(last) ?? UUID128(last).map { DeliveryID($0) }.flatMap { byKey[$0] }
        guard let number, kept.indices.contains(number), !kept[number].isForgotten else {
            return Reply(status: 404, why: "unknown")
        }
        if !world.isHealed, chance.happens(plan.forgets) {
            world.coverage.note(.forgotten)
            kept[number].isForgotten = true
            return Reply(status: chance.pick([404, 410]), why: "forgotten")
        }
        guard world.clock.elapsed >= kept[number].readyAt else { return Reply(status: 202, why: "not yet") }
        return Reply(status: 200, body: kept[number].answer, why: "decided")
    }
}
