import DeliveryMachine
import SessionDomain

extension Settings {
    /// No destination can have this name, which has a full stop.
    private static let witnessName = "audit.witness"

    mutating func readAudit(_ root: SettingsObject) throws(SettingsProblem) {
        guard let audit = try root.object("audit", keys: ["witness"]), let json = audit.value("witness") else { return }
        // as a destination's, without what only deliveries have
        _ = try SettingsObject(
            json, at: Self.witnessName, keys: ["url", "auth", "headers", "allow_addresses", "transfer"])
        let asDestination = JSONValue.members((json.asMembers ?? []) + [.init("kind", .string("verifier"))])
        var settings = try DestinationSettings(
            json: asDestination, name: Self.witnessName, override: nil, variable: "", at: Self.witnessName)
        settings.endpoint.transfer.totalTimeoutMilliseconds = min(settings.endpoint.transfer.totalTimeoutMilliseconds, 30_000)
        settings.endpoint.transfer.answerLimitBytes = 64 << 10
        witness = settings
    }

    static var auditTemplate: String {
        """
          // Who is sent every checkpoint (c2sp.org/tlog-witness), so that nobody who owns this machine can change what was.
          audit: {
            // witness: {
            //   url: "https://witness.example/log",  // what add-checkpoint is appended to
            //   auth: {}, headers: {}, allow_addresses: [], transfer: {},  // as in a destination
            // },
          },
        """
    }
}
