import Audit
import DeliveryMachine
import SessionDomain

extension Settings {
    /// No destination can have this name, which has a full stop.
    private static let witnessName = "audit.witness"

    mutating func readAudit(_ root: SettingsObject) throws(SettingsProblem) {
        guard let audit = try root.object("audit", keys: ["witness"]), let json = audit.value("witness") else { return }
        // as a destination's, without what only deliveries have
        let own = try SettingsObject(
            json, at: Self.witnessName, keys: ["url", "key", "auth", "headers", "allow_addresses", "transfer"])
        if let text = try own.text("key") {
            do throws(AuditError) { witnessKey = try CosignerKey(parsing: text) } catch {
                throw SettingsProblem(
                    .wrongType, at: Self.witnessName + ".key", error.message,
                    remedy: "Write the key as the witness's operator gives it, NAME+HASH+KEY, or leave it out.")
            }
        }
        let asDestination = JSONValue.members(
            (json.asMembers ?? []).filter { $0.key != "key" } + [.init("kind", .string("verifier"))])
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
            //   // what its signatures are checked with; else they are kept as they come. Example:
            //   key: "witness.example/w1+fe332c48+BEvq3isjNDC5cYuqzs8P4FHLIqILbXmlqfxa2HOI4vc8",
            //   auth: {}, headers: {}, allow_addresses: [], transfer: {},  // as in a destination
            // },
          },
        """
    }
}
