package import SessionDomain

extension CheckPolicy {
    static let keys = ["version", "detector", "passport", "selfie", "live", "hologram", "models"]

    /// Reads a policy strictly: an entry that is not known is an error, one that is absent gets its recommended value.
    ///
    /// - Throws: ``PolicyProblem`` with the entry's place and what to write instead.
    package init(json: JSONValue) throws(PolicyProblem) {
        let root = try PolicyObject(json, at: "", keys: Self.keys)
        guard let value = root.value("version") else {
            throw PolicyProblem(
                .missing, at: "version", "The policy has no version.", remedy: "Add \"version\": \"a name of yours\".")
        }
        guard let version = value.asString, (1...64).contains(version.utf8.count), version.utf8.allSatisfy(Self.belongsToName)
        else { throw root.wrong("version", "a string of 1 to 64 letters, digits, dots, hyphens and underscores") }
        self.init(version: version)
        if let value = root.value("detector") { detector = try DetectorPolicy(value, at: "detector") }
        if let value = root.value("passport") { passport = try PassportPolicy(value, at: "passport") }
        if let value = root.value("selfie") { selfie = try SelfiePolicy(value, at: "selfie") }
        if let value = root.value("live") { live = try LivePolicy(value, at: "live") }
        if let value = root.value("hologram") { hologram = try HologramVideoPolicy(value, at: "hologram") }
        if let value = root.value("models") { models = try Self.models(value) }
        try checkPairs()
    }

    /// Reads a policy from JSON text of at most 64 KiB.
    package init(text: String) throws(PolicyProblem) {
        let json: JSONValue
        do { json = try JSONValue.parse(text, limit: 1 << 16) } catch {
            throw PolicyProblem(.notJSON, at: "", "The policy: \(error.message)", remedy: error.remedy)
        }
        try self.init(json: json)
    }

    /// With every entry.
    package var json: JSONValue {
        .members([
            .init("version", .string(version)), .init("detector", detector.json), .init("passport", passport.json),
            .init("selfie", selfie.json), .init("live", live.json),
            .init("hologram", hologram.json),
            .init("models", .members(models.map { .init($0.key.rawValue, .string($0.value)) })),
        ])
    }

    private static func models(_ json: JSONValue) throws(PolicyProblem) -> [ModelRole: String] {
        let object = try PolicyObject(json, at: "models", keys: ModelRole.allCases.map(\.rawValue))
        var models: [ModelRole: String] = [:]
        for role in ModelRole.allCases {
            guard let value = object.value(role.rawValue), value != .null else { continue }
            guard let digest = value.asString, Digest256(hex: digest) != nil else {
                throw object.wrong(role.rawValue, "a SHA-256 in 64 hexadecimal digits")
            }
            models[role] = digest.lowercased()
        }
        return models
    }

    private func checkPairs() throws(PolicyProblem) {
        guard selfie.frameMarginExit <= selfie.frameMarginEnter else {
            throw PolicyProblem(
                .outOfRange, at: "selfie.frame_margin_exit", "A face would be outside while it is still inside.",
                remedy: "Make frame_margin_exit at most frame_margin_enter.")
        }
    }

    private static func belongsToName(_ unit: UInt8) -> Bool {
        switch unit {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
