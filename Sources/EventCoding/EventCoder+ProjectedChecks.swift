import SessionDomain

extension EventCoder {
    /// Without the page, the fields, the crop and where findings lie: no projection looks at them.
    static func checked(_ columns: EventColumns, _ facts: Span<UInt8>) -> SessionEvent? {
        guard let piece = columns.piece.flatMap({ Piece(code: $0) }), let capture = columns.captureID else { return nil }
        var scan = FactsScan(facts)
        var (found, version, isLate): ([Finding], String?, Bool) = ([], nil, false)
        while scan.next(facts) {
            if scan.isKey(.findings) {
                guard let list = findings(facts.extracting(scan.valueStart..<scan.valueEnd)) else { return nil }
                found = list
            } else if scan.isKey(.late) {
                guard isTrue(facts, scan) else { return nil }
                isLate = true
            } else if scan.isKey(.policyVersion) {
                version = FactsScalar.string(facts, scan.valueStart, scan.valueEnd)
                if version == nil { return nil }
            }
        }
        if scan.isBroken { return nil }
        return .pieceChecked(
            PieceChecked(
                piece: piece, captureID: CaptureID(capture), findings: found,
                failure: columns.reason.map { CaptureFailure(rawValue: $0) }, detail: nil, policyVersion: version, page: nil,
                fields: nil, crop: nil, late: isLate))
    }

    /// The objects of an array; nil for anything that is not one.
    private static func findings(_ units: Span<UInt8>) -> [Finding]? {
        guard units.count >= 2, units[0] == UInt8(ascii: "["), units[units.count - 1] == UInt8(ascii: "]") else { return nil }
        var list: [Finding] = []
        var start = 1
        while start < units.count - 1 {
            guard units[start] == UInt8(ascii: "{"), let end = FactsScan.end(units, start),
                let finding = finding(units.extracting(start..<end))
            else { return nil }
            list.append(finding)
            guard end < units.count else { return nil }
            if units[end] == UInt8(ascii: ",") {
                start = end + 1
            } else if end == units.count - 1 {
                start = end
            } else {
                return nil
            }
        }
        return list
    }

    private static func finding(_ units: Span<UInt8>) -> Finding? {
        var scan = FactsScan(units)
        var (metric, value): (String?, Double?) = (nil, nil)
        var finding = Finding(metric: "", value: 0)
        while scan.next(units) {
            let (start, end) = (scan.valueStart, scan.valueEnd)
            if scan.isKey(.metric) {
                metric = FactsScalar.string(units, start, end)
            } else if scan.isKey(.value) {
                value = FactsScalar.double(units, start, end)
            } else if scan.isKey(.passed) {
                switch (end - start, units[start]) {
                case (4, UInt8(ascii: "t")): finding.passed = true
                case (5, UInt8(ascii: "f")): finding.passed = false
                default: return nil
                }
            } else if scan.isKey(.threshold) {
                finding.threshold = FactsScalar.double(units, start, end)
                if finding.threshold == nil { return nil }
            } else if scan.isKey(.direction) {
                finding.direction = FactsScalar.string(units, start, end).flatMap { Finding.Direction(rawValue: $0) }
                if finding.direction == nil { return nil }
            } else if scan.isKey(.policyVersion) {
                finding.policyVersion = FactsScalar.string(units, start, end)
                if finding.policyVersion == nil { return nil }
            }
        }
        guard !scan.isBroken, let metric, let value else { return nil }
        finding.metric = metric
        finding.value = value
        return finding
    }
}
