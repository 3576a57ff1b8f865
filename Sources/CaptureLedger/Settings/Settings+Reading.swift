import MediaChecks
package import SessionDomain
import Vault

extension Settings {
    /// Reads the file's bytes strictly: a setting that is not known is an error, one that is absent gets its default.
    ///
    /// - Parameter environment: `CAPTURE_LEDGER_VERIFIER_URL` and `CAPTURE_LEDGER_HOLOGRAM_URL` override the two addresses.
    package init(_ bytes: [UInt8], environment: [String: String] = [:]) throws(SettingsProblem) {
        try self.init(json: try JSON5Reader.read(bytes), environment: environment)
    }

    package init(json: JSONValue, environment: [String: String] = [:]) throws(SettingsProblem) {
        self.init()
        let root = try SettingsObject(
            json, at: "",
            keys: [
                "master_key", "previous_master_key", "tombstones", "group", "media", "storage", "policy", "checks",
                "destinations", "reporter", "sync", "privacy", "audit",
            ])
        masterKey = try Self.masterKey("master_key", root)
        previousMasterKey = try Self.masterKey("previous_master_key", root)
        tombstones = try root.text("tombstones")
        group = try root.text("group")
        try readMedia(root)
        if let storage = try root.object("storage", keys: ["reserve_bytes"]) {
            storageReserveBytes = try storage.integer("reserve_bytes", in: 0...(1 << 50)) ?? storageReserveBytes
        }
        try readPolicy(root)
        try readChecks(root, environment)
        try readDestinations(root, environment)
        if let value = root.value("reporter") { reporter = try DestinationSettings(reporter: value) }
        try readSync(root)
        try readAudit(root)
        try readPrivacy(root)
    }

    private static func masterKey(_ name: String, _ root: SettingsObject) throws(SettingsProblem) -> MasterKeyReference? {
        guard let text = try root.text(name) else { return nil }
        guard let reference = MasterKeyReference(text) else {
            throw root.wrong(name, "a path, credential:NAME or command:C")
        }
        return reference
    }

    private mutating func readMedia(_ root: SettingsObject) throws(SettingsProblem) {
        guard
            let limits = try root.object(
                "media", keys: ["image_limit_bytes", "video_limit_bytes", "pixel_limit", "dimension_limit"])
        else { return }
        media.maxImageBytes = try limits.integer("image_limit_bytes", in: 1...(1 << 40)) ?? media.maxImageBytes
        media.maxVideoBytes = try limits.integer("video_limit_bytes", in: 1...(1 << 40)) ?? media.maxVideoBytes
        media.maxPixels = try limits.integer("pixel_limit", in: 1...(1 << 40)) ?? media.maxPixels
        if let side = try limits.integer("dimension_limit", in: 1...1_000_000) { media.maxDimension = Int(side) }
    }

    private mutating func readPolicy(_ root: SettingsObject) throws(SettingsProblem) {
        guard let object = try root.object("policy", keys: ["checks", "deadline_ms"]) else { return }
        if let text = try object.text("checks") {
            policy.checks = try Self.name(text, object, "checks", SessionPolicy.Checks.self)
        }
        policy.deadlineMilliseconds = try object.integer("deadline_ms", in: 1...3660 * 86_400_000)
    }

    private mutating func readDestinations(
        _ root: SettingsObject, _ environment: [String: String]
    ) throws(SettingsProblem) {
        var objects: [(name: String, json: JSONValue)] = []
        if let value = root.value("destinations") {
            let object = try SettingsObject(value, at: "destinations")
            for name in object.keys {
                guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.belongsToName) else {
                    throw SettingsProblem(
                        .unknownName, at: "destinations", "A destination has a name that is not allowed.",
                        remedy: "Use 1 to 64 letters, digits, hyphens and underscores.")
                }
                objects.append((name, object.value(name) ?? .object([])))
            }
        }
        for (variable, name) in [("CAPTURE_LEDGER_VERIFIER_URL", "verifier"), ("CAPTURE_LEDGER_HOLOGRAM_URL", "hologram")]
        where environment[variable]?.isEmpty == false && !objects.contains(where: { $0.name == name }) {
            objects.append((name, .object([])))
        }
        for (name, json) in objects {
            let override = ["verifier": "CAPTURE_LEDGER_VERIFIER_URL", "hologram": "CAPTURE_LEDGER_HOLOGRAM_URL"][name]
            let url = override.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
            destinations.append(try DestinationSettings(json: json, name: name, override: url, variable: override ?? ""))
        }
        destinations.sort { $0.name < $1.name }
    }

    private static func belongsToName(_ unit: UInt8) -> Bool {
        (0x30...0x39).contains(unit) || (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit) || unit == 0x2D
            || unit == 0x5F
    }

    static func name<Name: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ object: SettingsObject, _ key: String, _ type: Name.Type
    ) throws(SettingsProblem) -> Name {
        if let name = Name(rawValue: text) { return name }
        let known = Name.allCases.map(\.rawValue)
        throw SettingsProblem(
            .unknownName, at: object.place(key), "The setting \(object.place(key)) holds a name that is not known.",
            remedy: Spelling.remedy(for: text, in: known, shown: Spelling.quoted))
    }
}
