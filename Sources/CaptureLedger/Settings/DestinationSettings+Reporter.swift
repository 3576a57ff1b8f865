import DeliveryMachine
import SessionDomain

extension DestinationSettings {
    /// What it is called where destinations have names.
    package static let reporterName = "reporter"

    /// Reads the setting `reporter`: an endpoint for analytics events, with what any endpoint has of addresses, credentials and
    /// connections.
    init(reporter json: JSONValue) throws(SettingsProblem) {
        let object = try SettingsObject(
            json, at: Self.reporterName, keys: ["url", "auth", "headers", "allow_addresses", "transfer"])
        guard let url = try object.text("url") else {
            throw SettingsProblem(
                .missing, at: object.place("url"), "The setting \(object.place("url")) is missing.",
                remedy: "Write the address that takes analytics events there, or remove reporter.")
        }
        let allowed = try object.texts("allow_addresses") ?? []
        try AddressRule.checkAllowed(allowed, at: object.place("allow_addresses"))
        try AddressRule.check(url, at: object.place("url"), allowed: allowed)
        self.init(reporterAt: url)
        endpoint.transfer.allowedAddresses = allowed
        try readAuth(object)
        try readHeaders(object)
        try readTransfer(object)
    }

    /// An address without credentials.
    package init(reporterAt url: String) {
        self.init(endpoint: Destination(name: DestinationName(Self.reporterName), kind: .verifier, url: url))
        endpoint.transfer.totalTimeoutMilliseconds = 60_000
    }

    /// Where its settings are.
    package var place: String { name == Self.reporterName ? name : "destinations.\(name)" }
}

extension Settings {
    /// Where events go: the settings' reporter, or the address given. An address at another origin gets none of its credentials.
    ///
    /// - Throws: `address_refused`, `setting_missing`.
    package func reporter(at url: String?) throws(SettingsProblem) -> DestinationSettings {
        guard let url else {
            guard let reporter else {
                throw SettingsProblem(
                    .missing, at: DestinationSettings.reporterName, "The settings name no reporter.",
                    remedy: "Give an address with --url, or write reporter: { url: … } into \(Settings.fileName).")
            }
            return reporter
        }
        try AddressRule.check(url, at: "--url", allowed: reporter?.endpoint.transfer.allowedAddresses ?? [])
        guard var same = reporter, let origin = Origin(url), origin == Origin(same.endpoint.url) else {
            var other = DestinationSettings(reporterAt: url)
            other.endpoint.transfer.allowedAddresses = reporter?.endpoint.transfer.allowedAddresses ?? []
            return other
        }
        same.endpoint.url = url
        return same
    }
}
