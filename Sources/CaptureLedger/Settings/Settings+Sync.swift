import SessionDomain

/// How runs of the worker tell the world outside how they are.
package struct SyncSettings: Sendable, Hashable {
    /// How long deliveries may wait without any progress before a person is needed.
    package var pageAfterMilliseconds: Int64 = 7_200_000
    /// Put in place anew by every healthy run; a path in the ledger's folder when relative.
    package var deadManFile: String?
    /// Asked for by every healthy run.
    package var deadManURL: String?
    /// Hosts that `deadManURL` may have although they are private, or plain http.
    package var allowedAddresses: [String] = []
    /// Figures in Prometheus' text form, put in place anew by every run; a path in the ledger's folder when relative.
    package var metricsFile: String?
    package var metricsMode: UInt32 = 0o644
    /// Whether the figures are on the disk before their file gets its name.
    package var isMetricsFileDurable = false

    package init() {}
}

extension Settings {
    mutating func readSync(_ root: SettingsObject) throws(SettingsProblem) {
        let keys = [
            "page_after", "dead_man_file", "dead_man_url", "allow_addresses", "metrics_file", "metrics_mode", "metrics_fsync",
        ]
        guard let object = try root.object("sync", keys: keys) else { return }
        if let value = object.value("page_after") {
            let text = value.asInteger.map { String($0) } ?? value.asString ?? ""
            guard let time = DurationText.milliseconds(text) else {
                throw object.wrong("page_after", "a number of seconds, or a text such as \"90m\" or \"2h\"")
            }
            sync.pageAfterMilliseconds = time
        }
        sync.deadManFile = try object.text("dead_man_file")
        sync.metricsFile = try object.text("metrics_file")
        sync.allowedAddresses = try object.texts("allow_addresses") ?? []
        if let url = try object.text("dead_man_url") {
            try AddressRule.check(url, at: object.place("dead_man_url"), allowed: sync.allowedAddresses)
            sync.deadManURL = url
        }
        if let text = try object.text("metrics_mode") {
            guard let mode = UInt32(text, radix: 8), (3...4).contains(text.utf8.count), mode & 0o7111 == 0, mode & 0o400 != 0
            else {
                throw object.wrong("metrics_mode", "three octal digits in quotes that let its owner read it, such as \"0644\"")
            }
            sync.metricsMode = mode
        }
        sync.isMetricsFileDurable = try object.flag("metrics_fsync") ?? false
    }

    /// Every setting of the worker's runs with its default, or an example, as comments.
    static var syncTemplate: String {
        """
          // What runs of the worker leave for those who watch over it. Relative paths lie in the ledger's folder.
          sync: {
            // page_after: "2h",  // how long deliveries may wait without progress before a person is needed
            // dead_man_file: null,  // put in place anew by every healthy run
            // dead_man_url: null,  // asked for by every healthy run
            // allow_addresses: [],  // private or plain-http hosts that dead_man_url may have
            // metrics_file: null,  // figures for Prometheus, such as "/var/lib/prometheus/node-exporter/capture-ledger.prom"
            // metrics_mode: "0644",
            // metrics_fsync: false,
          },
        """
    }
}
