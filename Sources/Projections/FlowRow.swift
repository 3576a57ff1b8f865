package import SQLite
import SessionDomain

/// What the flow table says about one session.
package struct FlowRow: Hashable, Sendable {
    package var sessionNumber: Int64
    package var version: Int64
    package var lastPosition: Int64
    package var status: String
    package var phase: String
    package var currentPiece: Int?
    package var context: String?
    package var startedAtMilliseconds: Int64
    package var changedAtMilliseconds: Int64
    package var endedAtMilliseconds: Int64?
    package var expiresAtMilliseconds: Int64?
    /// A JSON array, one object a piece in order of capture.
    package var pieces: String

    /// nil for a session that never started.
    ///
    /// - Parameters:
    ///   - fold: is left as it is, and passed in place because it is large.
    ///   - jumps: what the clock jumped since the session began; its deadline has moved as far.
    package init?(_ fold: inout SessionFold, sessionNumber: Int64, jumps: Int64) {
        guard let status = fold.state.shownStatus else { return nil }
        self.sessionNumber = sessionNumber
        version = fold.state.version
        lastPosition = fold.lastPosition
        self.status = status.rawValue
        phase = fold.state.phase.rawValue
        currentPiece = fold.state.askedPiece?.code
        context = fold.state.configuration?.value.analyticsContext
        startedAtMilliseconds = fold.startedAtMilliseconds
        changedAtMilliseconds = fold.changedAtMilliseconds
        endedAtMilliseconds = fold.endedAtMilliseconds
        expiresAtMilliseconds = fold.state.deadlineAtMilliseconds.map { $0 + jumps }
        pieces = Self.pieces(&fold.state)
    }

    /// Adds the values of `upsert_flow`.
    package func pack(into rows: PackedRows) {
        rows.append(sessionNumber)
        rows.append(version)
        rows.append(lastPosition)
        rows.append(status)
        rows.append(phase)
        rows.append(currentPiece)
        rows.append(context)
        rows.append(startedAtMilliseconds)
        rows.append(changedAtMilliseconds)
        rows.append(endedAtMilliseconds)
        rows.append(expiresAtMilliseconds)
        rows.append(pieces)
    }

    /// `[{"attempts":1,"capture_id":"…","piece":"selfie","status":"verified"}]`, with `failure` and `score` where there is one.
    private static func pieces(_ state: inout SessionState) -> String {
        var json = JSONWriter()
        json.bytes.reserveCapacity(128 * state.order.count)
        json.bytes.append(UInt8(ascii: "["))
        for (index, piece) in state.order.enumerated() {
            json.put(index == 0 ? "{\"attempts\":" : ",{\"attempts\":")
            json.write(Int64(state.pieces[piece].attempts))
            if let capture = state.pieces[piece].captureID {
                json.put(",\"capture_id\":")
                json.write(capture.uuid)
            }
            if let failure = state.pieces[piece].failure {
                json.put(",\"failure\":")
                json.write(failure.rawValue)
            }
            json.put(",\"piece\":")
            json.writeCode(piece.rawValue)
            if let score = state.pieces[piece].score {
                json.put(",\"score\":")
                json.write(score)
            }
            json.put(",\"status\":")
            json.writeCode(state.pieces[piece].status.rawValue)
            json.bytes.append(UInt8(ascii: "}"))
        }
        json.bytes.append(UInt8(ascii: "]"))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Reads the columns of `list_flows`, without its session id.
    init(_ row: Statement, sessionNumber: Int64, from first: Int32) {
        self.sessionNumber = sessionNumber
        version = row.int64(first)
        lastPosition = row.int64(first + 1)
        status = row.text(first + 2)
        phase = row.text(first + 3)
        currentPiece = row.optionalInt64(first + 4).map(Int.init)
        context = row.optionalText(first + 5)
        startedAtMilliseconds = row.int64(first + 6)
        changedAtMilliseconds = row.int64(first + 7)
        endedAtMilliseconds = row.optionalInt64(first + 8)
        expiresAtMilliseconds = row.optionalInt64(first + 9)
        pieces = row.text(first + 10)
    }
}
