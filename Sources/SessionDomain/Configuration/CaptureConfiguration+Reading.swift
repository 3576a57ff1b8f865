extension CaptureConfiguration {
    /// Reads the versioned encoding: a known setting that is absent gets its default (S23), one that is not known is refused.
    ///
    /// - Throws: ``ConfigurationProblem``, also for a configuration that ``validate()`` refuses.
    package init(json: JSONValue) throws(ConfigurationProblem) {
        let reader = try ConfigurationReader(json, at: "", keys: Self.keys)
        try Self.checkVersion(reader)
        guard let list = reader.value("pieces") else { throw reader.missing("pieces") }
        self.init(pieces: try Self.pieces(list), flowTitle: try reader.string("flow_title") ?? "")
        analyticsContext = try reader.string("analytics_context")
        showsBack = try reader.bool("shows_back") ?? showsBack
        allowUploadFromDevice = try reader.bool("allow_upload_from_device") ?? allowUploadFromDevice
        if let value = reader.value("progress") { progress = try Self.progress(value) }
        if let value = reader.value("passport_checks") { passportChecks = try Self.passportChecks(value) }
        if let value = reader.value("selfie_checks") { selfieChecks = try Self.selfieChecks(value, at: "selfie_checks") }
        if let value = reader.value("selfie_upload_checks") {
            selfieUploadChecks = try Self.selfieChecks(value, at: "selfie_upload_checks")
        }
        if let value = reader.value("fallback_link") {
            let link = try ConfigurationReader(value, at: "fallback_link", keys: ["title"])
            guard let title = try link.string("title") else { throw link.missing("title") }
            fallbackLink = FallbackLink(title: title)
        }
        autoConfirm = try reader.bool("auto_confirm") ?? autoConfirm
        checks = try reader.name("checks", as: ChecksMode.self)
        ordering = try reader.name("ordering", as: DeliveryOrder.self) ?? ordering
        deadlineMilliseconds = try reader.integer("deadline_ms")
        if let text = try reader.string("hologram_card_type") {
            guard let type = HologramCardType(named: text) else {
                throw ConfigurationReader.unknownName(
                    text, at: "hologram_card_type", known: HologramCardType.allCases.map(\.name))
            }
            hologramCardType = type
        }
        if let value = reader.value("hologram_settings") { hologramSettings = try Self.hologramSettings(value) }
        hologramMediaRule = try reader.name("hologram_media_rule", as: HologramMediaRule.self) ?? hologramMediaRule
        hologramPassMark = try reader.double("hologram_pass_mark")
        try readPieceMaps(reader)
        try validate()
    }

    /// Reads the versioned encoding from text.
    package init(text: String) throws(ConfigurationProblem) {
        let json: JSONValue
        do { json = try JSONValue.parse(text, limit: 1 << 20) } catch {
            throw ConfigurationProblem(.notJSON, at: "configuration", error.message, remedy: error.remedy)
        }
        try self.init(json: json)
    }

    static let keys = [
        "schema_version", "pieces", "flow_title", "analytics_context", "shows_back", "allow_upload_from_device", "progress",
        "passport_checks", "selfie_checks", "selfie_upload_checks", "copy", "fallback_link", "auto_confirm", "checks",
        "ordering", "deadline_ms", "destinations", "hologram_settings", "hologram_card_type", "hologram_media_rule",
        "hologram_pass_mark",
    ]

    /// The versions that can be read; an absent one is read as the newest.
    private static func checkVersion(_ reader: ConfigurationReader) throws(ConfigurationProblem) {
        guard let version = try reader.string("schema_version"), !["1.0", "1.1"].contains(version) else { return }
        throw ConfigurationProblem(
            .newerVersion, at: "schema_version", "The configuration's schema version is not one that can be read here.",
            remedy: "Use a configuration of version 1.0 or \(schemaVersion), or a newer release.")
    }

    private mutating func readPieceMaps(_ reader: ConfigurationReader) throws(ConfigurationProblem) {
        let names = Piece.allCases.map(\.rawValue)
        if let value = reader.value("copy") {
            let map = try ConfigurationReader(value, at: "copy", keys: names)
            for piece in Piece.allCases {
                guard let value = map.value(piece.rawValue) else { continue }
                copy[piece] = try Self.copy(value, at: map.place(piece.rawValue))
            }
        }
        if let value = reader.value("destinations") {
            let map = try ConfigurationReader(value, at: "destinations", keys: names)
            for piece in Piece.allCases { destinations[piece] = try map.string(piece.rawValue) }
        }
    }

    private static func pieces(_ list: JSONValue) throws(ConfigurationProblem) -> [Piece] {
        guard let values = list.asArray else {
            throw ConfigurationProblem(
                .wrongType, at: "pieces", "The setting pieces has the wrong type.", remedy: "Make it a list of names.")
        }
        var pieces: [Piece] = []
        for value in values {
            guard let piece = value.asString.flatMap({ Piece(rawValue: $0) }) else {
                throw ConfigurationReader.unknownName(value.asString ?? "", at: "pieces", known: Piece.allCases.map(\.rawValue))
            }
            pieces.append(piece)
        }
        return pieces
    }
}
