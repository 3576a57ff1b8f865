import DeliveryMachine
import SessionDomain

/// One session's user: captures, waits, captures again, changes its mind.
struct Client {
    var hasStarted = false
    var captures = 0
    var visits = 0
}

extension World {
    // MARK: users

    func act(_ number: Int) {
        guard !isHealed, violation == nil else { return }
        clients[number].visits += 1
        if !clients[number].hasStarted {
            clients[number].hasStarted = true
            start(session: number)
        }
        step(session: number)
        guard clients[number].visits < 20 else { return }
        agenda.add(.client(number), at: clock.elapsed + clientChance.spread(5_000...14_400_000))
    }

    private func start(session number: Int) {
        let habits = plan.sessions
        var pieces = Array([Piece.passportFront, .passportBack, .selfie].prefix(1 + clientChance.below(habits.pieces)))
        let hasHologram = clientChance.happens(habits.hologram)
        if hasHologram { pieces.append(.hologram) }
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "")
        configuration.checks = .off
        configuration.autoConfirm = true
        configuration.ordering = clientChance.happens(habits.strict) ? .strict : .independent
        configuration.hologramMediaRule = plan.destroysVideo ? .strict : .untilAnswered
        if hasHologram { configuration.hologramCardType = .NEW_TC_ID }
        if clientChance.happens(300_000) { configuration.hologramPassMark = 0.5 }
        if plan.servers.count > 2, clientChance.happens(500_000) { configuration.destinations[.selfie] = "second" }
        let session = ledger.addSession(Names.session(number))
        precondition(session == clientsStarted)
        sessionNumbers.append(number)
        let isLate = clientChance.happens(habits.lateTransaction)
        let transaction = hasHologram && !isLate ? Self.transaction(number) : nil
        perform(
            .start(StartSession(configuration: configuration, transaction: transaction, secret: nil)), session)
        if transaction != nil { ledger.setTransaction("tx-\(number)", of: session) }
        note(30, "s\(number) starts: \(pieces.map(\.rawValue).joined(separator: " ")), \(configuration.ordering.rawValue)")
    }

    private static func transaction(_ number: Int) -> Digest256 { Digest256(words: (1, 2, 3, UInt64(number))) }

    private var clientsStarted: Int { sessionNumbers.count }

    private func step(session number: Int) {
        guard let session = sessionNumbers.firstIndex(of: number) else { return }
        let state = ledger.sessions[session].state
        guard state.status.isOpen, !state.isErased else { return }
        if state.pieces[.hologram].status != .absent, state.transaction == nil, clientChance.happens(400_000) {
            perform(.bindTransaction(Self.transaction(number), secret: nil), session)
            ledger.setTransaction("tx-\(number)", of: session)
            coverage.note(.transactionBoundLate)
            note(31, "s\(number) gets its transaction")
        }
        if clientChance.happens(plan.sessions.erase) {
            perform(.erase, session)
            coverage.note(.erased)
            return note(32, "s\(number) is erased")
        }
        if clientChance.happens(plan.sessions.cancel) {
            perform(.cancel(secret: nil), session)
            coverage.note(.cancelled)
            return note(33, "s\(number) is cancelled")
        }
        for piece in state.order {
            let status = state.pieces[piece].status
            let isWaiting = status == .awaitingVerification || status == .parked
            if status.needsCapture, ledger.sessions[session].state.currentPiece == piece {
                capture(piece, in: session, number)
            } else if isWaiting, clientChance.happens(plan.sessions.supersede) {
                coverage.note(.superseded)
                capture(piece, in: session, number)
            }
        }
    }

    private func capture(_ piece: Piece, in session: Int, _ number: Int) {
        clients[number].captures += 1
        let id = Names.capture(1_000 * (number + 1) + clients[number].captures)
        if piece == .hologram { perform(.startHologramRecording, session) }
        let bytes = Array("media of \(Names.number(id))".utf8)
        var original = Original(bytes: bytes)
        original.isPoisoned = clientChance.happens(plan.sessions.poisoned)
        original.isDamaged = clientChance.happens(plan.sessions.damaged)
        originals[id] = original
        let subject = Server.Subject(
            session: Names.session(number).text, piece: piece.rawValue, capture: id.text)
        videos[Base64.text(bytes)] = subject
        let facts = MediaFacts(
            type: piece == .hologram ? "video/mp4" : "image/jpeg", bytes: Int64(bytes.count), width: 40, height: 20,
            orientation: 1, flags: [])
        let commitment = Digest256(words: (7, 7, 7, UInt64(Names.number(id))))
        let capture = CapturePiece(
            piece: piece, captureID: id, source: .camera, media: facts, commitment: commitment, sealedDigest: commitment,
            sealedBytes: 99, rotation: piece == .hologram ? 90 : nil, measurements: [], fields: nil, confirm: true, secret: nil)
        perform(.capture(capture), session, sha256: [UInt8](repeating: UInt8(Names.number(id) & 0xFF), count: 32))
        let marks = (original.isPoisoned ? ", poisoned" : "") + (original.isDamaged ? ", damaged" : "")
        note(34, "s\(number) captures \(piece.rawValue): d\(Names.number(id))\(marks)")
    }

    func perform(_ command: SessionCommand, _ session: Int, sha256: [UInt8] = []) {
        clock.record()
        do throws(Rejection) { try ledger.perform(command, in: session, now: clock.corrected, sha256: sha256) } catch {
            note(35, "s\(session) refuses: \(error.code)")
        }
    }

    func open(_ capture: CaptureID, for process: WorkerProcess) throws(DeliveryFault) -> any MediaReader {
        guard let number = ledger.deliveries.firstIndex(where: { $0.capture == capture }), let original = originals[capture]
        else {
            breaks("media of c\(Names.number(capture)) was asked for, which nobody captured")
            throw WorkerProcess.died
        }
        let delivery = ledger.deliveries[number]
        if original.isPoisoned {
            coverage.note(.poisoned)
            note(36, "w\(process.worker).\(process.number) dies of d\(Names.number(capture))")
            die(process)
            throw WorkerProcess.died
        }
        if delivery.isMediaDestroyed || ledger.sessions[delivery.session].state.isErased {
            throw DeliveryFault(.mediaGone, message: "The media is gone.", remedy: "None.")
        }
        return OriginalReader(original)
    }

    // MARK: what a body says

    func subject(of body: [UInt8]) -> Server.Subject? {
        if let video = Server.field("video", in: body) { return videos[video] }
        guard let session = Server.field("session_id", in: body), let piece = Server.field("piece", in: body),
            let capture = Server.field("capture_id", in: body)
        else { return nil }
        return Server.Subject(session: session, piece: piece, capture: capture)
    }

    // MARK: the operator

    func operate() {
        agenda.add(.operate, at: clock.elapsed + (isHealed ? 1_200_000 : plan.operatorEvery))
        for number in servers.indices {
            let name = destinations[number].name
            guard let pause = ledger.state(of: name).pause, pause.probeAtMilliseconds == nil, pause.reason != .unauthorized,
                !holds(.gone, number)
            else { continue }
            coverage.note(.resumed)
            note(40, "an operator resumes \(name.text)")
            referee.noteResume(number)
            ledger.apply([.resume], to: name)
        }
        guard !isHealed else { return }
        for delivery in ledger.deliveries where delivery.status == .parked && clientChance.happens(300_000) {
            do throws(Rejection) {
                try ledger.requeue(delivery.id, now: clock.corrected)
                coverage.note(.requeued)
                referee.noteRequeue(delivery.id)
                note(41, "an operator requeues \(short(delivery.id))")
            } catch {}
        }
    }

    // MARK: weather

    func begin(_ span: Int) {
        activeSpans.insert(span)
        let plan = plan.spans[span]
        if plan.kind == .offline, plan.end - plan.begin > 48 * 3_600_000 { coverage.note(.longWeekend) }
        note(50, "\(plan.kind) begins\(plan.server.map { " at " + Names.destination($0).text } ?? "")")
    }

    func stepClock(_ number: Int) {
        guard !isHealed else { return }
        let step = plan.clockSteps[number].by
        coverage.note(abs(step) > 60_000 ? .largeClockStep : .smallClockStep)
        clock.step(step)
        note(51, "the clock steps by \(step) ms")
    }

    func changeCredential(_ server: Int, _ isKnown: Bool) {
        if isKnown { servers[server].knownCredential = servers[server].credential } else { servers[server].credential += 1 }
        destinations[server].credentialFingerprint = String(servers[server].knownCredential)
        if isKnown { coverage.note(.credentialChanged) }
        note(52, "\(destinations[server].name.text) \(isKnown ? "has its new credential here" : "wants another credential")")
    }

    func credential(of destination: DestinationName) -> String {
        String(servers[Names.server(destination)].knownCredential)
    }

    /// Where our side can fetch a credential itself, as with OAuth 2.
    func renewCredential(of destination: DestinationName) -> Bool {
        let server = servers[Names.server(destination)]
        guard server.plan.renewsCredential, server.knownCredential != server.credential else { return false }
        server.knownCredential = server.credential
        coverage.note(.credentialRenewed)
        note(54, "\(destination.text) gets its credential renewed")
        return true
    }

    func heal() {
        isHealed = true
        activeSpans.removeAll()
        clock.heal()
        for process in running.compactMap({ $0 }) {
            process.doom = nil
            process.hungUntil = 0
        }
        for server in servers { server.knownCredential = server.credential }
        for number in destinations.indices { destinations[number].credentialFingerprint = String(servers[number].credential) }
        note(53, "the faults stop")
        operate()
    }
}

/// RFC 4648, for telling videos by their text.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var units: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
            let bits = group[0] << 16 | group[1] << 8 | group[2]
            let count = min(3, bytes.count - start)
            for place in 0..<4 {
                units.append(place <= count ? alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: units, as: UTF8.self)
    }
}

extension Server {
    /// The text of a JSON member wherever it stands in a body.
    static func field(_ name: String, in body: [UInt8]) -> String? {
        let opening = Array("\"\(name)\":\"".utf8)
        guard body.count > opening.count else { return nil }
        var start = 0
        search: while start + opening.count <= body.count {
            for index in opening.indices where body[start + index] != opening[index] {
                start += 1
                continue search
            }
            let value = body[(start + opening.count)...].prefix { $0 != UInt8(ascii: "\"") }
            return String(decoding: value, as: UTF8.self)
        }
        return nil
    }
}
