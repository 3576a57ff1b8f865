import SessionDomain
import TestSupport
import Testing

/// Given some commands, when another one comes, then these events or this rejection.
struct Given {
    private(set) var state = SessionState.initial
    private(set) var events: [SessionEvent] = []
    private(set) var now = Sample.now

    /// A session that was started for `pieces`.
    static func session(
        _ pieces: Piece..., configure: (inout CaptureConfiguration) -> Void = { _ in }
    ) throws -> Given {
        var configuration = Sample.configuration(pieces)
        configure(&configuration)
        return try Given().after(Sample.start(configuration))
    }

    func after(_ commands: SessionCommand...) throws -> Given {
        var given = self
        for command in commands { try given.perform(command) }
        return given
    }

    func later(by milliseconds: Int64) -> Given {
        var given = self
        given.now += milliseconds
        return given
    }

    func when(_ command: SessionCommand) -> Then {
        do {
            return Then(state: state, result: .success(try SessionDecider.decide(command, state, now: now)))
        } catch { return Then(state: state, result: .failure(error)) }
    }

    var view: FlowView? { FlowView(state) }
    func status(_ piece: Piece) -> PieceStatus { state.pieces[piece].status }
    func count(_ name: String) -> Int { events.count { Name.of($0) == name } }

    private mutating func perform(_ command: SessionCommand) throws(Rejection) {
        for decided in try SessionDecider.decide(command, state, now: now) {
            events.append(decided.event)
            state.apply(decided.event)
        }
    }
}

struct Then {
    let state: SessionState
    let result: Result<[Decided], Rejection>

    var events: [SessionEvent] { (try? result.get())?.map(\.event) ?? [] }
    var names: [String] { events.map(Name.of) }

    /// The command was accepted with events of these names, in this order.
    func then(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        switch result {
        case .success(let decided): #expect(decided.map { Name.of($0.event) } == expected, sourceLocation: sourceLocation)
        case .failure(let rejection): Issue.record("refused as \(rejection.code)", sourceLocation: sourceLocation)
        }
    }

    func thenNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        switch result {
        case .success(let decided): #expect(decided.isEmpty, sourceLocation: sourceLocation)
        case .failure(let rejection): Issue.record("refused as \(rejection.code)", sourceLocation: sourceLocation)
        }
    }

    func thenRejected(_ code: String, sourceLocation: SourceLocation = #_sourceLocation) {
        switch result {
        case .success(let decided):
            Issue.record("accepted with \(decided.map { Name.of($0.event) })", sourceLocation: sourceLocation)
        case .failure(let rejection): #expect(rejection.code == code, sourceLocation: sourceLocation)
        }
    }
}

/// The name of an event's case, and a reason where it has one.
enum Name {
    static func of(_ event: SessionEvent) -> String {
        switch event {
        case .captureRefused(let refused): "captureRefused(\(refused.failure.rawValue))"
        case .pieceChecked(let checked): checked.failure.map { "pieceChecked(\($0.rawValue))" } ?? "pieceChecked"
        case .hologramRecordingCancelled(let cancelled): "hologramRecordingCancelled(\(cancelled.cause.rawValue))"
        case .pieceVerified(let verified): verified.late ? "pieceVerified(late)" : "pieceVerified"
        case .pieceRejected(let rejected): rejected.late ? "pieceRejected(late)" : "pieceRejected"
        case .pieceDeliveryParked(let parked): parked.late ? "pieceDeliveryParked(late)" : "pieceDeliveryParked"
        case .sessionExited(let exited): "sessionExited(\(exited.exitClass.rawValue))"
        default: String(String(describing: event).prefix { $0 != "(" })
        }
    }
}
