/// What is wrong with the settings, as one sentence that says where. It never holds a value that was found there.
package struct SettingsProblem: Error, Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case notJSON5 = "settings_not_json5"
        case unknownSetting = "unknown_setting"
        case wrongType = "wrong_setting_type"
        case outOfRange = "setting_out_of_range"
        case missing = "setting_missing"
        case unknownName = "unknown_setting_value"
        case addressRefused = "address_refused"
        case unreadable = "settings_unreadable"
        case credentialUnreadable = "credential_unreadable"
    }

    package let code: Code
    /// The setting, such as `destinations.verifier.url`; empty for the file as a whole.
    package let path: String
    package let message: String
    package let remedy: String

    package init(_ code: Code, at path: String, _ message: String, remedy: String) {
        self.code = code
        self.path = path
        self.message = message
        self.remedy = remedy
    }
}
