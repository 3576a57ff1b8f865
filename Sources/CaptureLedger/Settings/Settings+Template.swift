extension Settings {
    /// The file that `init` writes: what was chosen as settings, every default as a comment.
    package static func template(masterKey: MasterKeyReference?, tombstones: String? = nil, group: String? = nil) -> String {
        let d = Settings()
        func line(_ key: String, _ value: String?, _ otherwise: String) -> String {
            value.map { "  \(key): \(quoted($0))," } ?? "  // \(key): \(otherwise),"
        }
        return """
            // Settings of this ledger, in JSON5. A setting in a comment shows its default, or an example where it says so.
            // Run capture-ledger config check to see what is wrong with this file.
            {
              // Where the master key is: a path, "credential:NAME" (systemd) or "command:C" (prints it).
              // Keep a copy elsewhere: without it nothing that was captured can be opened.
            \(line("master_key", masterKey?.text, "\"credential:capture-ledger\""))

              // Remembers erasures outside the ledger, so that no backup brings an erased person back. Back it up separately.
            \(line("tombstones", tombstones, "\"/var/lib/capture-ledger/tombstones\""))

              // Unix group that may use this ledger too. Example:
            \(line("group", group, "\"capture\""))

              media: {
                // image_limit_bytes: \(d.media.maxImageBytes),
                // video_limit_bytes: \(d.media.maxVideoBytes),
                // pixel_limit: \(d.media.maxPixels),
                // dimension_limit: \(d.media.maxDimension),
              },

              storage: {
                // A capture that would leave less free space is refused as storage_low.
                // reserve_bytes: \(d.storageReserveBytes),
              },

              // What a new session gets where its own configuration is silent.
              policy: {
                // One of "required", "deferred" and "off"; null: required once a model runner is configured.
                // checks: null,
                // From the start of a session; null: it never expires.
                // deadline_ms: null,
              },

            \(checksTemplate)

              destinations: {
                // Uncomment and edit. CAPTURE_LEDGER_VERIFIER_URL and CAPTURE_LEDGER_HOLOGRAM_URL override the two addresses.
                // verifier: {
                //   url: "https://verifier.example/submissions",
                //   kind: "verifier",
            \(destinationTemplate)
                // },
                // hologram: {
                //   url: "https://hologram.example/detect",
                //   kind: "hologram",
                //   media_rule: "until_answered",  // or "strict": destroyed once its last byte was sent
                // },
              },

              // Where analytics export --reporter posts its events; auth, headers, transfer and allow_addresses as a destination has them.
              // reporter: { url: "https://reports.example/events", auth: { bearer_file: "keys/reporter.token" } },

            \(syncTemplate)

            \(privacyTemplate)

            \(auditTemplate)
            }

            """
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
