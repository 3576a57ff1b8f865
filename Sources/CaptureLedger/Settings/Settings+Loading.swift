import SystemCalls

extension Settings {
    /// The settings of the ledger in that folder; without a file every default.
    ///
    /// - Throws: `settings_unreadable` when the file is there and cannot be read, else what is wrong in it.
    package static func load(ledger folder: String, environment: [String: String] = [:]) throws(SettingsProblem) -> Settings {
        let path = folder + "/" + fileName
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileDescriptor(opening: path, .read, followLinks: true).readToEnd(limit: JSON5Reader.byteLimit)
        } catch {
            if error.code == .notFound { return try Settings(json: .object([]), environment: environment) }
            throw SettingsProblem(
                .unreadable, at: "", "The settings file \(fileName) cannot be read.",
                remedy: "Check its permissions: \(error.message).")
        }
        return try Settings(bytes, environment: environment)
    }
}
