import Dispatch
import EventStorage
import Glibc
import SQLite
import SessionDomain
import Synchronization
import Testing

@testable import CaptureLedger

/// Commands that share a transaction.
@Suite struct GroupCommitTests {
    /// What one of the clients was told.
    private struct Told: Sendable {
        var session: SessionID
        var positions: [Int64] = []
        var refusals: [String] = []
    }

    @Test func `64 clients at once: what was acknowledged is there after reopening, at positions 1 to n`() async throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let rounds = 12
        let clients = try await withThrowingTaskGroup(of: Told.self) { group in
            for client in 0..<64 {
                group.addTask {
                    let started = try await ledger.submit(StartRequest(configuration: configuration([.selfie])))
                    var told = Told(session: started.session, positions: started.positions)
                    for round in 0..<rounds {
                        let command = round.isMultiple(of: 2) ? SessionCommand.suspend : .resume
                        let request = CommandRequest(told.session, command, try commandID("\(client)-\(round)"))
                        told.positions += try await ledger.submit(request).positions
                        // One that comes too late stands among the others' and takes nothing along.
                        do {
                            _ = try await ledger.submit(
                                CommandRequest(
                                    told.session, .resume, try commandID("late-\(client)-\(round)"), expectedVersion: 1))
                        } catch let error as LedgerError {
                            told.refusals.append(error.code.rawValue)
                        }
                    }
                    return told
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let positions = clients.flatMap(\.positions).sorted()
        #expect(positions == Array(1...Int64(64 * (rounds + 1))))
        #expect(clients.allSatisfy { $0.refusals == Array(repeating: "stale_version", count: rounds) })

        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        #expect(try reopened.events(after: 0, limit: 10_000).map(\.position) == positions)
        for client in clients {
            let events = try reopened.timeline(client.session)
            #expect(events.map(\.position) == client.positions)
            #expect(events.map(\.version) == Array(1...Int64(rounds + 1)))
            #expect(try reopened.session(client.session).flow.version == Int64(rounds + 1))
        }
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `a refused command in a batch spoils nothing else, and the batch is one commit`() throws {
        let temporary = try TemporaryLedger()
        let (first, second) = (try start(temporary), try start(temporary))
        let desk = desk(temporary)
        defer { desk.close() }
        let jobs = [
            RecordedJob(CommandRequest(first, .suspend, try commandID("a"))),
            RecordedJob(CommandRequest(first, .resume, try commandID("b"), expectedVersion: 1)),
            RecordedJob(CommandRequest(second, .confirm(piece: .selfie, captureID: nil), try commandID("c"))),
            RecordedJob(CommandRequest(second, .suspend, try commandID("d"))),
            RecordedJob(CommandRequest(first, .resume, try commandID("e"), expectedVersion: 2)),
        ]
        let before = try temporary.ledger.commitCount()
        desk.run(jobs)
        #expect(jobs.allSatisfy { $0.ends == [nil] })
        #expect(jobs.map { $0.receipt?.positions } == [[3], nil, nil, [4], [5]])
        guard case .failure(let stale) = jobs[1].answer, case .failure = jobs[2].answer else {
            Issue.record("not refused: \(String(describing: jobs[1].answer)), \(String(describing: jobs[2].answer))")
            return
        }
        #expect(stale.code.rawValue == "stale_version")
        #expect(try temporary.ledger.commitCount() == before + 1)
        #expect(try temporary.ledger.timeline(first).map(\.version) == [1, 2, 3])
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `a full disk in a batch fails all of it, also what came before; the next one goes on without a gap`() throws {
        let temporary = try TemporaryLedger()
        let session = try start(temporary)
        let desk = desk(temporary)
        defer { desk.close() }
        desk.run([RecordedJob(CommandRequest(session, .suspend, try commandID("before")))])
        let commits = try temporary.ledger.commitCount()

        // From here on the database of this connection may not grow: what needs a new page meets a full disk.
        let limit = RecordedJob { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in try context.connection.execute("PRAGMA max_page_count = 1") }
            }
            return nil
        }
        let commands = try (0..<400).map { number in
            RecordedJob(
                CommandRequest(session, number.isMultiple(of: 2) ? .resume : .suspend, try commandID("full-\(number)")))
        }
        desk.run([limit] + commands)
        let appended = commands.count { $0.receipt != nil }
        #expect(appended > 0 && appended < commands.count, "\(appended) were appended before it was full")
        #expect(commands.allSatisfy { $0.ends.map { $0?.code.rawValue } == ["storage_full"] })
        #expect(limit.ends.map { $0?.isRetryable } == [true])
        #expect(try temporary.ledger.timeline(session).count == 2)
        #expect(try temporary.ledger.commitCount() == commits)

        // The same commands again, with the same ids: new, since nothing of them was kept.
        let again = try (0..<4).map { number in
            RecordedJob(
                CommandRequest(session, number.isMultiple(of: 2) ? .resume : .suspend, try commandID("full-\(number)")))
        }
        desk.run(again)
        #expect(again.allSatisfy { $0.ends == [nil] })
        #expect(again.map { $0.receipt?.positions } == [[3], [4], [5], [6]])
        #expect(again.allSatisfy { $0.receipt?.isRepeat == false })
        #expect(try temporary.ledger.events(after: 0, limit: 100).map(\.position) == [1, 2, 3, 4, 5, 6])
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `what a start asked for has the bytes of its canonical JSON, whatever it names`() throws {
        let words: [String?] = [nil, "plain", "\"quoted\" \\ \u{1} – ß/"]
        for index in 0..<81 {
            var request = StartRequest(
                configuration: configuration(index.isMultiple(of: 2) ? [.selfie] : [.passportFront, .hologram]))
            request.clientKey = words[index % 3]
            request.subject = words[index / 3 % 3]
            request.group = words[index / 9 % 3]
            request.transactionID = words[index / 27]
            let members: [(String, String?)] = [
                ("client_key", request.clientKey), ("subject", request.subject), ("group", request.group),
                ("transaction_id", request.transactionID), ("command", "start"),
            ]
            let named = members.compactMap { name, value in value.map { JSONValue.Member(name, .string($0)) } }
            let expected = JSONValue.members(named + [.init("configuration", request.configuration.json)]).canonicalBytes
            #expect(WriteContext.body(request, FrozenConfiguration(request.configuration)) == expected)
        }
    }

    @Test func `commands asked for together are one commit, see each other, and one that is refused spoils none`() async throws
    {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let session = SessionID(UUID128(milliseconds: ledger.clock.nowMilliseconds(), random: (7, 9)))
        let before = try ledger.commitCount()
        let results = try await ledger.submitTogether([
            .start(StartRequest(configuration: configuration([.selfie])), as: session),
            .command(CommandRequest(session, .suspend, try commandID("a"), expectedVersion: 1)),
            .command(CommandRequest(session, .suspend, try commandID("b"), expectedVersion: 1)),
            .command(CommandRequest(session, .resume, try commandID("c"), expectedVersion: 2)),
        ])
        #expect(results.map { (try? $0.get())?.positions } == [[1], [2], nil, [3]])
        guard case .failure(let refusal) = results[2] else {
            Issue.record("a stale version was taken")
            return
        }
        #expect(refusal.code.rawValue == "stale_version")
        #expect(try ledger.commitCount() == before + 1)
        #expect(try ledger.timeline(session).map(\.version) == [1, 2, 3])
        try Oracle.findsNothingWrong(temporary.path)
    }

    private func start(_ temporary: TemporaryLedger) throws -> SessionID {
        try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
    }

    /// A desk of the test's own on the ledger, so that a batch is what the test says.
    @Test func `a thread that waits for its command runs the commit itself while nobody writes, and no other does`() throws {
        let temporary = try TemporaryLedger()
        let commits = GroupCommit(desk(temporary))
        defer { commits.close() }
        let here = pthread_self()
        let ran = try commits.writeAndWait { (_) throws(LedgerError) in .success(pthread_self()) }
        #expect(ran == here)

        // One that is under way elsewhere: this thread waits, and its command comes in the next commit.
        let (isUnderWay, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = DispatchGroup()
        DispatchQueue(label: "test.first").async(group: group) {
            _ = try? commits.writeAndWait { (_) throws(LedgerError) -> Result<Void, LedgerError> in
                isUnderWay.signal()
                mayEnd.wait()
                return .success(())
            }
        }
        isUnderWay.wait()
        let answers = Mutex<[pthread_t]>([])
        let others = DispatchGroup()
        for number in 0..<3 {
            DispatchQueue(label: "test.other-\(number)").async(group: others) {
                let ran = try? commits.writeAndWait { (_) throws(LedgerError) in .success(pthread_self()) }
                answers.withLock { $0.append(ran ?? 0) }
            }
        }
        mayEnd.signal()
        // bounded, so that a command which nobody takes up is a red test and no hanging one
        #expect(others.wait(timeout: .now() + 30) == .success, "a command was left to nobody")
        #expect(group.wait(timeout: .now() + 30) == .success)
        #expect(answers.withLock { $0.count } == 3)
        #expect(answers.withLock { !$0.contains(0) })
    }

    @Test func `threads that wait are all acknowledged, at positions 1 to n`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let positions = Mutex<[Int64]>([])
        let group = DispatchGroup()
        for client in 0..<8 {
            DispatchQueue(label: "test.client-\(client)").async(group: group) {
                do {
                    let started = try ledger.start(StartRequest(configuration: configuration([.selfie])))
                    var mine = started.positions
                    for round in 0..<20 {
                        let command = round.isMultiple(of: 2) ? SessionCommand.suspend : .resume
                        mine += try ledger.perform(
                            CommandRequest(started.session, command, try commandID("\(client)-\(round)"))
                        ).positions
                    }
                    positions.withLock { $0 += mine }
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(group.wait(timeout: .now() + 60) == .success, "a command was left to nobody")
        #expect(positions.withLock { $0.sorted() } == Array(1...Int64(8 * 21)))
        try Oracle.findsNothingWrong(temporary.path)
    }

    private func desk(_ temporary: TemporaryLedger) -> WriterDesk {
        let ledger = temporary.ledger
        guard let vault = ledger.vault else { preconditionFailure("a new ledger has its keys") }
        return WriterDesk(files: ledger.files, lock: ledger.lock, vault: vault, clock: ledger.clock)
    }
}
