import DeliveryMachine

extension DestinationSettings {
    mutating func readTransfer(_ object: SettingsObject) throws(SettingsProblem) {
        let keys = [
            "connect_timeout_ms", "total_timeout_ms", "low_speed_bytes_per_second", "low_speed_seconds", "answer_limit_bytes",
            "proxy", "proxy_credential_file", "ca_file", "client_certificate_file", "client_key_file", "minimum_tls",
            "pinned_public_key", "http_version",
        ]
        guard let transfer = try object.object("transfer", keys: keys) else { return }
        func integer(_ key: String, _ range: ClosedRange<Int64>, _ place: inout Int) throws(SettingsProblem) {
            if let value = try transfer.integer(key, in: range) { place = Int(value) }
        }
        try integer("connect_timeout_ms", 1...3_600_000, &endpoint.transfer.connectTimeoutMilliseconds)
        try integer("total_timeout_ms", 1...86_400_000, &endpoint.transfer.totalTimeoutMilliseconds)
        try integer("low_speed_bytes_per_second", 0...(1 << 30), &endpoint.transfer.lowSpeedBytesPerSecond)
        try integer("low_speed_seconds", 0...86_400, &endpoint.transfer.lowSpeedSeconds)
        try integer("answer_limit_bytes", 1024...(64 << 20), &endpoint.transfer.answerLimitBytes)
        if let text = try transfer.text("minimum_tls") {
            endpoint.transfer.minimumTLS = try Settings.name(
                text, transfer, "minimum_tls", TransferSettings.TLSVersion.self)
        }
        if let text = try transfer.text("http_version") {
            endpoint.transfer.httpVersion = try Settings.name(
                text, transfer, "http_version", TransferSettings.HTTPVersion.self)
        }
        try readIdentity(transfer)
        try readProxy(transfer)
    }

    private mutating func readIdentity(_ transfer: SettingsObject) throws(SettingsProblem) {
        endpoint.transfer.authorityFile = try transfer.text("ca_file")
        endpoint.transfer.clientCertificateFile = try transfer.text("client_certificate_file")
        endpoint.transfer.clientKeyFile = try transfer.text("client_key_file")
        if (endpoint.transfer.clientKeyFile == nil) != (endpoint.transfer.clientCertificateFile == nil) {
            let key = endpoint.transfer.clientKeyFile == nil ? "client_key_file" : "client_certificate_file"
            throw SettingsProblem(
                .missing, at: transfer.place(key), "The setting \(transfer.place(key)) is missing.",
                remedy: "Name the client certificate and its key, or neither; they may be one file.")
        }
        guard let pin = try transfer.text("pinned_public_key") else { return }
        // curl would take anything else for a file's name
        for part in pin.split(separator: ";", omittingEmptySubsequences: false) {
            let digest = part.dropFirst("sha256//".count)
            guard part.hasPrefix("sha256//"), digest.utf8.count == 44, digest.hasSuffix("="),
                digest.utf8.dropLast().allSatisfy({ $0 == 0x2B || $0 == 0x2F || Self.isAlphanumeric($0) })
            else {
                throw transfer.wrong("pinned_public_key", "sha256// and 44 base64 characters, several separated by ;")
            }
        }
        endpoint.transfer.pinnedPublicKey = pin
    }

    private mutating func readProxy(_ transfer: SettingsObject) throws(SettingsProblem) {
        if let proxy = try transfer.text("proxy") {
            try AddressRule.checkProxy(proxy, at: transfer.place("proxy"), allowed: endpoint.transfer.allowedAddresses)
            endpoint.transfer.proxy = proxy
        }
        guard let file = try transfer.text("proxy_credential_file") else { return }
        guard endpoint.transfer.proxy != nil else {
            throw SettingsProblem(
                .missing, at: transfer.place("proxy"), "The setting \(transfer.place("proxy")) is missing.",
                remedy: "Name the proxy that the credential is for, or remove proxy_credential_file.")
        }
        proxyCredential = try Self.source(file, transfer, "proxy_credential_file")
    }

    mutating func readLimits(_ object: SettingsObject) throws(SettingsProblem) {
        let old = try object.integer("in_flight_limit", in: 1...256)
        if let old { endpoint.inFlightLimit = Int(old) }
        guard let limits = try object.object("limits", keys: ["in_flight", "requests_per_second", "bytes_per_second"]) else {
            return
        }
        if let limit = try limits.integer("in_flight", in: 1...256) {
            guard old == nil else {
                throw SettingsProblem(
                    .outOfRange, at: limits.place("in_flight"),
                    "The settings \(limits.place("in_flight")) and \(object.place("in_flight_limit")) mean the same.",
                    remedy: "Keep limits.in_flight.")
            }
            endpoint.inFlightLimit = Int(limit)
        }
        if let rate = try limits.integer("bytes_per_second", in: 1024...(1 << 40)) {
            endpoint.transfer.bandwidth = Bandwidth(destination: endpoint.name, bytesPerSecond: rate)
        }
        endpoint.requestsPerSecond = try limits.number("requests_per_second", in: 0.001...100_000)
    }

    static func isAlphanumeric(_ unit: UInt8) -> Bool {
        (0x30...0x39).contains(unit) || (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit)
    }
}
