import SessionDomain

extension FactsReader {
    func piece() throws(CodingFailure) -> Piece {
        guard let code = stored.piece else { throw missing("piece") }
        guard let piece = Piece(code: code) else { throw invalid("piece") }
        return piece
    }

    func captureID() throws(CodingFailure) -> CaptureID {
        guard let uuid = stored.captureID else { throw missing("capture_id") }
        return CaptureID(uuid)
    }

    func source() throws(CodingFailure) -> CaptureSource {
        guard let code = stored.source else { throw missing("source") }
        guard let source = CaptureSource(code: code) else { throw invalid("source") }
        return source
    }

    func reason() throws(CodingFailure) -> String {
        guard let reason = stored.reason else { throw missing("reason") }
        return reason
    }

    func reason<Name: RawRepresentable<String>>(as name: Name.Type) throws(CodingFailure) -> Name {
        guard let value = Name(rawValue: try reason()) else { throw invalid("reason") }
        return value
    }

    func duration() throws(CodingFailure) -> Int64 {
        guard let duration = stored.durationMilliseconds else { throw missing("duration_ms") }
        return duration
    }
}
