extension DestinationSettings {
    mutating func readAuth(_ object: SettingsObject) throws(SettingsProblem) {
        let keys = ["bearer_file", "bearer_command", "next_bearer_file", "next_bearer_command", "oauth2", "signature"]
        guard let auth = try object.object("auth", keys: keys) else { return }
        let bearer = try Self.secret(auth, "bearer")
        let next = try Self.secret(auth, "next_bearer")
        let oauth = try Self.oauth2(auth, allowed: endpoint.transfer.allowedAddresses)
        guard bearer == nil || oauth == nil else {
            throw SettingsProblem(
                .outOfRange, at: auth.path, "The setting \(auth.path) names more than one kind of token.",
                remedy: "Keep one of bearer_file, bearer_command and oauth2.")
        }
        guard next == nil || bearer != nil else {
            throw SettingsProblem(
                .missing, at: auth.place("bearer_file"), "The setting \(auth.path) names a next token and no current one.",
                remedy: "Write the current token's file as bearer_file too.")
        }
        if let bearer { self.auth.token = .bearer(bearer, next: next) }
        if let oauth { self.auth.token = .oauth2(oauth) }
        if let signature = try auth.object(
            "signature", keys: ["secret_file", "secret_command", "next_secret_file", "next_secret_command"])
        {
            guard let secret = try Self.secret(signature, "secret") else { throw Self.missing(signature, "secret_file") }
            self.auth.signature = SignatureSettings(secret: secret, nextSecret: try Self.secret(signature, "next_secret"))
        }
    }

    private static func oauth2(
        _ auth: SettingsObject, allowed: [String]
    ) throws(SettingsProblem) -> OAuth2Settings? {
        let keys = [
            "token_url", "client_id", "client_secret_file", "client_secret_command", "client_authentication", "scope",
            "audience",
        ]
        guard let object = try auth.object("oauth2", keys: keys) else { return nil }
        guard let url = try object.text("token_url") else { throw missing(object, "token_url") }
        try AddressRule.check(url, at: object.place("token_url"), allowed: allowed)
        guard let client = try object.text("client_id") else { throw missing(object, "client_id") }
        guard let secret = try Self.secret(object, "client_secret") else { throw missing(object, "client_secret_file") }
        var settings = OAuth2Settings(tokenURL: url, clientID: client, clientSecret: secret)
        if let text = try object.text("client_authentication") {
            settings.clientAuthentication = try Settings.name(
                text, object, "client_authentication", OAuth2Settings.ClientAuthentication.self)
        }
        settings.scope = try object.text("scope")
        settings.audience = try object.text("audience")
        return settings
    }

    /// `NAME_file` (a path or `credential:NAME`) or `NAME_command`, not both.
    private static func secret(_ object: SettingsObject, _ name: String) throws(SettingsProblem) -> SecretSource? {
        let file = try object.text(name + "_file")
        let command = try object.text(name + "_command")
        if let file, command == nil { return try source(file, object, name + "_file") }
        if let command, file == nil { return .command(command) }
        guard file == nil else {
            throw SettingsProblem(
                .outOfRange, at: object.path, "The settings \(name)_file and \(name)_command are both in \(object.path).",
                remedy: "Keep one of them.")
        }
        return nil
    }

    static func source(_ text: String, _ object: SettingsObject, _ key: String) throws(SettingsProblem) -> SecretSource {
        guard text.hasPrefix("credential:") else { return .file(text) }
        let name = String(text.dropFirst("credential:".count))
        guard !name.isEmpty, !name.contains("/"), name != ".." else {
            throw object.wrong(key, "a path, or credential: and the name of a systemd credential")
        }
        return .credential(name)
    }

    private static func missing(_ object: SettingsObject, _ key: String) -> SettingsProblem {
        SettingsProblem(
            .missing, at: object.place(key), "The setting \(object.place(key)) is missing.",
            remedy: "Write it, or remove \(object.path).")
    }
}
