/// What may stand in facts: codes and finite numbers, so that nothing personal slips in and everything reads back.
extension SessionDecider {
    /// - Throws: ``Rejection/notACode(field:)`` unless `text` is 1 to `limit` visible ASCII characters.
    static func requireCode(_ text: String?, _ field: String, limit: Int = 64) throws(Rejection) {
        guard let text else { return }
        guard (1...limit).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .notACode(field: field)
        }
    }

    /// A policy's own name of up to 64 characters, and what tells two policies of one name apart.
    static let policyVersionLimit = 96

    static func requireFinite(_ value: Double?, _ field: String) throws(Rejection) {
        if let value, !value.isFinite { throw .notFinite(field: field) }
    }

    static func requireFinite(_ rect: NormalizedRect?, _ field: String) throws(Rejection) {
        guard let rect else { return }
        for value in [rect.x, rect.y, rect.width, rect.height] { try requireFinite(value, field) }
    }

    static func check(_ findings: [Finding]) throws(Rejection) {
        guard findings.count <= 256 else { throw .tooManyFindings(limit: 256) }
        for finding in findings {
            try requireCode(finding.metric, "metric")
            try requireCode(finding.model, "model")
            try requireCode(finding.policyVersion, "policy_version", limit: policyVersionLimit)
            try requireFinite(finding.value, finding.metric)
            try requireFinite(finding.threshold, finding.metric)
            try requireFinite(finding.region, finding.metric)
        }
    }

    static func checkFacts(_ capture: CapturePiece) throws(Rejection) {
        try requireCode(capture.media.type, "type")
        for flag in capture.media.flags { try requireCode(flag, "flags") }
        guard capture.measurements.count <= 256 else { throw .tooManyFindings(limit: 256) }
        for measurement in capture.measurements {
            try requireCode(measurement.metric, "metric")
            try requireFinite(measurement.value, measurement.metric)
        }
        try requireFinite(capture.fields?.photo, "photo")
        try requireFinite(capture.fields?.signature, "signature")
        try requireFinite(capture.fields?.mrz, "mrz")
    }
}
