package import SessionDomain

/// How long what was captured is kept, and how long an erasure can be taken back.
package struct PrivacySettings: Sendable, Hashable {
    package static let longestWindowMilliseconds: Int64 = 30 * 86_400_000

    /// From the request of an erasure until it is done; 0: at once.
    package var undoWindowMilliseconds: Int64 = 86_400_000
    /// Originals that a rule names are destroyed; the record of what was decided stays.
    package var retention: [RetentionRule] = []

    package init() {}
}

/// Which originals are destroyed, and when.
package struct RetentionRule: Sendable, Hashable {
    /// What can become of a capture or of its session.
    package enum Status: String, Sendable, CaseIterable {
        /// What became of the capture.
        case verified, rejected, parked, superseded
        case failedChecks = "failed_checks"
        /// How its session ended.
        case completed, exited, expired, cancelled
        /// Whatever became of it, from the moment of the capture on.
        case any
    }

    /// nil: every piece.
    package let piece: Piece?
    package let status: Status
    /// Since then.
    package let ageMilliseconds: Int64

    package init(piece: Piece?, status: Status, ageMilliseconds: Int64) {
        self.piece = piece
        self.status = status
        self.ageMilliseconds = ageMilliseconds
    }
}

extension Settings {
    mutating func readPrivacy(_ root: SettingsObject) throws(SettingsProblem) {
        guard let object = try root.object("privacy", keys: ["undo_window_ms", "retention"]) else { return }
        privacy.undoWindowMilliseconds =
            try object.integer("undo_window_ms", in: 0...PrivacySettings.longestWindowMilliseconds)
            ?? privacy.undoWindowMilliseconds
        guard let value = object.value("retention") else { return }
        guard let list = value.asArray else { throw object.wrong("retention", "a list of rules: [{ status: …, after: … }]") }
        for (index, json) in list.enumerated() {
            let rule = try SettingsObject(
                json, at: "\(object.place("retention"))[\(index)]", keys: ["piece", "status", "after"])
            privacy.retention.append(try Self.rule(rule))
        }
    }

    private static func rule(_ object: SettingsObject) throws(SettingsProblem) -> RetentionRule {
        let piece = try object.text("piece").map { (text) throws(SettingsProblem) in
            try name(text, object, "piece", Piece.self)
        }
        // A rule that leaves out what it is about would take more than its writer meant.
        guard let status = try object.text("status") else {
            throw SettingsProblem(
                .missing, at: object.place("status"), "The setting \(object.place("status")) is missing.",
                remedy: "Use one of: \(RetentionRule.Status.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let value = object.value("after") else {
            throw SettingsProblem(
                .missing, at: object.place("after"), "The setting \(object.place("after")) is missing.",
                remedy: "Give an age, such as \"30d\".")
        }
        let text = value.asInteger.map { String($0) } ?? value.asString ?? ""
        guard let age = DurationText.milliseconds(text) else {
            throw object.wrong("after", "a number of seconds, or a text such as \"12h\" or \"30d\"")
        }
        return RetentionRule(
            piece: piece, status: try name(status, object, "status", RetentionRule.Status.self), ageMilliseconds: age)
    }

    /// Every setting of privacy with its default, or an example, as comments.
    static var privacyTemplate: String {
        """
          privacy: {
            // How long `erase` can be taken back with `erase --undo`; meanwhile nothing of the session opens. 0: not at all.
            // undo_window_ms: \(PrivacySettings().undoWindowMilliseconds),
            // Originals that grow old are destroyed by `purge` and by every sync; what was decided stays.
            // Rules name a status of the capture: verified, rejected, parked, superseded, failed_checks.
            // Or how its session ended: completed, exited, expired, cancelled. Or any, since the capture was made.
            // What waits for its delivery is kept.
            // retention: [],  // such as [{ status: "verified", after: "30d" }, { piece: "selfie", status: "any", after: "90d" }]
          },
        """
    }
}
