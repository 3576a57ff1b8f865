extension CaptureConfiguration {
    /// The version of the encoding that ``json`` writes.
    package static let schemaVersion = "1.1"

    /// The versioned encoding: what is absent is left out.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("schema_version", .string(Self.schemaVersion)), .init("pieces", .array(pieces.map { .string($0.rawValue) })),
            .init("flow_title", .string(flowTitle)), .init("shows_back", .bool(showsBack)),
            .init("allow_upload_from_device", .bool(allowUploadFromDevice)), .init("progress", Self.json(progress)),
            .init("passport_checks", Self.json(passportChecks)), .init("selfie_checks", Self.json(selfieChecks)),
            .init("auto_confirm", .bool(autoConfirm)), .init("ordering", .string(ordering.rawValue)),
        ]
        func add(_ key: String, _ value: JSONValue?) { if let value { members.append(.init(key, value)) } }
        add("analytics_context", analyticsContext.map { .string($0) })
        add("selfie_upload_checks", selfieUploadChecks.map(Self.json))
        add("copy", Self.json(copy, Self.json))
        add("fallback_link", fallbackLink.map { .members([.init("title", .string($0.title))]) })
        add("checks", checks.map { .string($0.rawValue) })
        add("deadline_ms", deadlineMilliseconds.map { .integer($0) })
        add("destinations", Self.json(destinations) { .string($0) })
        add("hologram_card_type", hologramCardType.map { .string($0.name) })
        add("hologram_pass_mark", hologramPassMark.map { .double($0) })
        if pieces.contains(.hologram) || hologramSettings != HologramSettings() {
            add("hologram_settings", Self.json(hologramSettings))
        }
        if hologramMediaRule != .untilAnswered { add("hologram_media_rule", .string(hologramMediaRule.rawValue)) }
        return .members(members)
    }

    private static func json<Value>(_ map: [Piece: Value], _ encode: (Value) -> JSONValue) -> JSONValue? {
        let members = Piece.allCases.compactMap { piece in map[piece].map { JSONValue.Member(piece.rawValue, encode($0)) } }
        return members.isEmpty ? nil : .members(members)
    }

    private static func json(_ progress: ProgressStyle) -> JSONValue {
        func numbered(_ style: String, _ count: Int, _ filled: Int) -> JSONValue {
            .members([
                .init("style", .string(style)), .init("count", .integer(Int64(count))),
                .init("filled", .integer(Int64(filled))),
            ])
        }
        return switch progress {
        case .segments(let count, let filled): numbered("segments", count, filled)
        case .steps(let count, let filled): numbered("steps", count, filled)
        case .fraction: .members([.init("style", .string("fraction"))])
        case .hidden: .members([.init("style", .string("hidden"))])
        }
    }

    private static func json(_ checks: PassportChecks) -> JSONValue {
        .members([
            .init("glare", .bool(checks.glare)), .init("fingers", .bool(checks.fingers)), .init("blur", .bool(checks.blur)),
        ])
    }

    private static func json(_ checks: SelfieChecks) -> JSONValue {
        .members([
            .init("phone_straight", .bool(checks.phoneStraight)), .init("glasses", .bool(checks.glasses)),
            .init("covered_face", .bool(checks.coveredFace)),
        ])
    }

    private static func json(_ copy: CaptureCopy) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let title = copy.title { members.append(.init("title", .string(title))) }
        if let subtitle = copy.subtitle { members.append(.init("subtitle", .string(subtitle))) }
        if let eyebrow = copy.eyebrow { members.append(.init("eyebrow", .string(eyebrow))) }
        if let flipHint = copy.flipHint { members.append(.init("flip_hint", .string(flipHint))) }
        switch copy.headerStyle {
        case .standard: break
        case .titleOnly(let accessory):
            var style: [JSONValue.Member] = [.init("style", .string("title_only"))]
            if let accessory { style.append(.init("accessory", .string(accessory))) }
            members.append(.init("header_style", .members(style)))
        }
        return .members(members)
    }

    private static func json(_ settings: HologramSettings) -> JSONValue {
        .members([
            .init("USE_CARD_DETECTION", .bool(settings.useCardDetection)),
            .init("HOLOGRAM_CONTROL_ENABLED", .bool(settings.hologramControlEnabled)),
            .init("CONTROL_FACE_CAPTURE", .bool(settings.controlFaceCapture)),
            .init("STOP_VIDEO_WHILE_RECORDING", .bool(settings.stopVideoWhileRecording)),
            .init("HINT_DISPLAY_RATIO", .double(settings.hintDisplayRatio)),
            .init("MARGIN_RATIO", .double(settings.marginRatio)),
            .init("OUTSIDE_OF_HINT_COLOR", .string(settings.outsideOfHintColor)),
            .init("IS_TRADEMARK_LOGO_ON", .bool(settings.isTrademarkLogoOn)),
        ])
    }
}
