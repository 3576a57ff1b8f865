package import SessionDomain

/// What decoding and judging one picture took, stage by stage, in milliseconds: one number a round.
package struct CheckFigures: Sendable {
    package enum Stage: String, Sendable, CaseIterable {
        /// A decoder is started and the picture handed over, when none waits.
        case openWithoutSpare = "open_without_spare"
        /// The picture is handed to a decoder that waits, which reads its header.
        case open
        /// All of it in a square, for a detector.
        case letterbox
        /// The same again: what was decoded is kept, so this is scaling, padding and the way between the processes.
        case letterboxAgain = "letterbox_again"
        /// The middle half in a small square, for a classifier.
        case crop
        /// The middle half as a JPEG of its own.
        case jpeg
        /// All checks of a passport page, from a decoder that holds the picture to the findings.
        case judge
        /// Of that: inside the models.
        case models
        /// Of that: waiting for pixels.
        case pixels
        /// Of that: everything else.
        case around
        /// libvips' own program, from its start to its end, to the same size.
        case vipsthumbnail
    }

    package internal(set) var milliseconds: [Stage: [Double]] = [:]

    package func median(_ stage: Stage) -> Double? {
        milliseconds[stage].flatMap { $0.isEmpty ? nil : $0.sorted()[$0.count / 2] }
    }

    /// Median over the rounds of what a waiting decoder takes to the letterbox by what `vipsthumbnail` takes.
    package var ratio: Double? {
        guard let open = milliseconds[.open], let box = milliseconds[.letterbox], let other = milliseconds[.vipsthumbnail]
        else {
            return nil
        }
        let ratios = zip(zip(open, box), other).map { ($0.0 + $0.1) / $1 }.sorted()
        return ratios.isEmpty ? nil : ratios[ratios.count / 2]
    }

    package var json: JSONValue {
        var members: [JSONValue.Member] = []
        for stage in Stage.allCases {
            guard let median = median(stage) else { continue }
            members.append(.init("\(stage.rawValue)_ms", .double(hundredths(median))))
        }
        if let ratio { members.append(.init("ratio", .double(hundredths(ratio)))) }
        return .members(members)
    }
}

private func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
