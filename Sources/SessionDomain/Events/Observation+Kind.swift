extension Observation {
    /// The kinds that a client can report, by name, and the fields each one has.
    package static let kinds: [(name: String, fields: [String])] =
        [
            ("card_detected", []), ("card_lost", []), ("face_detection_success", []), ("face_detection_idle", []),
            ("flash_not_on_card", []), ("flash_circle_completed", ["circle_index"]),
            ("flash_position_update", ["is_flash_on_target"]), ("flash_needs_more_frames", []), ("card_not_in_hint", []),
            ("too_much_glare", []), ("wrong_card_type", ["detected_card_type", "is_backside"]),
        ] + [("live_scan", ["hint", "piece"])]

    /// The kind's name, in snake_case.
    package var kind: String {
        switch self {
        case .hologram(let observation):
            switch observation {
            case .cardDetected: "card_detected"
            case .cardLost: "card_lost"
            case .faceDetectionSuccess: "face_detection_success"
            case .faceDetectionIdle: "face_detection_idle"
            case .flashNotOnCard: "flash_not_on_card"
            case .flashCircleCompleted: "flash_circle_completed"
            case .flashPositionUpdate: "flash_position_update"
            case .flashNeedsMoreFrames: "flash_needs_more_frames"
            case .cardNotInHint: "card_not_in_hint"
            case .tooMuchGlare: "too_much_glare"
            case .wrongCardType: "wrong_card_type"
            }
        case .liveScan: "live_scan"
        }
    }

    /// The canonical form: `kind` and the kind's fields.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [.init("kind", .string(kind))]
        switch self {
        case .hologram(.flashCircleCompleted(let index)): members.append(.init("circle_index", .integer(Int64(index))))
        case .hologram(.flashPositionUpdate(let isOnTarget)): members.append(.init("is_flash_on_target", .bool(isOnTarget)))
        case .hologram(.wrongCardType(let type, let isBackside)):
            if let type { members.append(.init("detected_card_type", .string(type.name))) }
            members.append(.init("is_backside", .bool(isBackside)))
        case .hologram: break
        case .liveScan(let hint, let piece):
            members.append(.init("hint", .string(hint.rawValue)))
            members.append(.init("piece", .string(piece.rawValue)))
        }
        return .members(members)
    }

    /// nil when the kind is not known or a field of it is missing, wrong or not one of its own.
    package init?(json: JSONValue) {
        guard let members = json.asMembers, let name = json["kind"]?.asString,
            let fields = Self.kinds.first(where: { $0.name == name })?.fields,
            members.allSatisfy({ $0.key == "kind" || fields.contains($0.key) })
        else { return nil }
        if name == "live_scan" {
            guard let hint = json["hint"]?.asString.flatMap({ LiveScanHint(rawValue: $0) }),
                let piece = json["piece"]?.asString.flatMap({ Piece(rawValue: $0) })
            else { return nil }
            self = .liveScan(hint, piece: piece)
            return
        }
        guard let observation = HologramObservation(named: name, json) else { return nil }
        self = .hologram(observation)
    }
}

extension HologramObservation {
    fileprivate init?(named name: String, _ json: JSONValue) {
        switch name {
        case "card_detected": self = .cardDetected
        case "card_lost": self = .cardLost
        case "face_detection_success": self = .faceDetectionSuccess
        case "face_detection_idle": self = .faceDetectionIdle
        case "flash_not_on_card": self = .flashNotOnCard
        case "flash_needs_more_frames": self = .flashNeedsMoreFrames
        case "card_not_in_hint": self = .cardNotInHint
        case "too_much_glare": self = .tooMuchGlare
        case "flash_circle_completed":
            guard let index = json["circle_index"]?.asInt, index >= 0 else { return nil }
            self = .flashCircleCompleted(circleIndex: index)
        case "flash_position_update":
            guard let isOnTarget = json["is_flash_on_target"]?.asBool else { return nil }
            self = .flashPositionUpdate(isFlashOnTarget: isOnTarget)
        case "wrong_card_type":
            guard let isBackside = json["is_backside"]?.asBool else { return nil }
            var type: HologramCardType?
            if let text = json["detected_card_type"] {
                guard let known = text.asString.flatMap({ HologramCardType(named: $0) }) else { return nil }
                type = known
            }
            self = .wrongCardType(detectedCardType: type, isBackside: isBackside)
        default: return nil
        }
    }
}
