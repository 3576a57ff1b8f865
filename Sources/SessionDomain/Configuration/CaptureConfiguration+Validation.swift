extension CaptureConfiguration {
    /// The longest title or other text, in bytes.
    package static let textLimit = 4_096
    /// Ten years.
    package static let deadlineLimit: Int64 = 3_653 * 86_400_000

    /// - Throws: ``ConfigurationProblem`` for the first thing that is wrong.
    package func validate() throws(ConfigurationProblem) {
        guard !pieces.isEmpty else {
            throw ConfigurationProblem(
                .noPieces, at: "pieces", "The list of pieces is empty.", remedy: "Name at least one piece to capture.")
        }
        for (index, piece) in pieces.enumerated() where pieces[..<index].contains(piece) {
            throw ConfigurationProblem(
                .duplicatePiece, at: "pieces", "The list of pieces names \(piece.rawValue) twice.",
                remedy: "Name each piece once, in the order of capture.")
        }
        if pieces.contains(.hologram), hologramCardType == nil {
            throw ConfigurationProblem(
                .cardTypeMissing, at: "hologram_card_type", "The session asks for a hologram and names no card type.",
                remedy: "Set the card type to NEW_TC_ID, DRIVER_LICENSE or INTERNATIONAL_ID.")
        }
        if let deadlineMilliseconds, !(1...Self.deadlineLimit).contains(deadlineMilliseconds) {
            throw Self.outOfRange("deadline_ms", "between 1 and \(Self.deadlineLimit) milliseconds")
        }
        switch progress {
        case .segments(let count, let filled), .steps(let count, let filled):
            guard (0...1_000).contains(count), (0...count).contains(filled) else {
                throw Self.outOfRange("progress", "with 0 ≤ filled ≤ count ≤ 1000")
            }
        case .fraction, .hidden: break
        }
        try validateHologram()
        try validateTexts()
    }

    private func validateHologram() throws(ConfigurationProblem) {
        if let hologramPassMark, !hologramPassMark.isFinite { throw Self.outOfRange("hologram_pass_mark", "a finite number") }
        let ratio = hologramSettings.hintDisplayRatio
        guard ratio.isFinite, ratio > 0, ratio <= 100 else {
            throw Self.outOfRange("hologram_settings.hint_display_ratio", "greater than 0 and at most 100")
        }
        let margin = hologramSettings.marginRatio
        guard margin.isFinite, margin >= 0, margin <= 100 else {
            throw Self.outOfRange("hologram_settings.margin_ratio", "between 0 and 100")
        }
        let color = Array(hologramSettings.outsideOfHintColor.utf8)
        guard color.count == 7 || color.count == 9, color[0] == UInt8(ascii: "#"),
            color.dropFirst().allSatisfy({ Digest256.nibble($0) != nil })
        else { throw Self.outOfRange("hologram_settings.outside_of_hint_color", "written #RRGGBB or #RRGGBBAA") }
    }

    private func validateTexts() throws(ConfigurationProblem) {
        func check(_ text: String?, _ path: String) throws(ConfigurationProblem) {
            if let text, text.utf8.count > Self.textLimit {
                throw Self.outOfRange(path, "at most \(Self.textLimit) bytes long")
            }
        }
        try check(flowTitle, "flow_title")
        try check(analyticsContext, "analytics_context")
        try check(fallbackLink?.title, "fallback_link.title")
        for piece in Piece.allCases {
            if let name = destinations[piece] {
                let units = name.utf8
                guard (1...64).contains(units.count),
                    units.allSatisfy({
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
                            || $0 == UInt8(ascii: "-")
                    })
                else {
                    throw Self.outOfRange(
                        "destinations.\(piece.rawValue)", "1 to 64 characters of a–z, 0–9, hyphen and underscore")
                }
            }
            guard let copy = copy[piece] else { continue }
            let path = "copy.\(piece.rawValue)"
            try check(copy.title, "\(path).title")
            try check(copy.subtitle, "\(path).subtitle")
            try check(copy.eyebrow, "\(path).eyebrow")
            try check(copy.flipHint, "\(path).flip_hint")
            if case .titleOnly(let accessory) = copy.headerStyle { try check(accessory, "\(path).header_style.accessory") }
        }
    }

    static func outOfRange(_ path: String, _ range: String) -> ConfigurationProblem {
        ConfigurationProblem(.outOfRange, at: path, "The setting \(path) is out of range.", remedy: "Make it \(range).")
    }
}
