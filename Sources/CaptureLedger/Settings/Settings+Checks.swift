import SessionDomain

/// What captures are checked with.
package struct CheckSettings: Sendable, Hashable {
    package enum Runner: Hashable, Sendable {
        /// The TensorFlow Lite C library, loaded when it is needed.
        case tensorFlowLite
        /// A program that runs the models; started by `/bin/sh -c`.
        case process(String)

        /// `tensorflow_lite` or `process:COMMAND`.
        package init?(_ text: String) {
            if text == Self.tensorFlowLiteName {
                self = .tensorFlowLite
            } else if text.hasPrefix(Self.processPrefix), text.utf8.count > Self.processPrefix.utf8.count {
                self = .process(String(text.dropFirst(Self.processPrefix.count)))
            } else {
                return nil
            }
        }

        package static let tensorFlowLiteName = "tensorflow_lite"
        static let processPrefix = "process:"
    }

    /// nil: whatever runner the host registers.
    package var runner: Runner?
    /// The TensorFlow Lite C library; nil: searched for. Paths are in the ledger's folder when relative.
    package var library: String?
    /// The folder of the models; nil: searched for.
    package var models: String?
    /// The decoder's program; nil: searched for.
    package var decoder: String?
    /// The check policy; nil: the standard one.
    package var policy: String?
    /// Pixels of a kept page crop's longer side.
    package var cropSide = 2_000

    package init() {}
}

extension Settings {
    mutating func readChecks(_ root: SettingsObject, _ environment: [String: String]) throws(SettingsProblem) {
        if let object = try root.object("checks", keys: ["runner", "library", "models", "decoder", "policy", "crop_side"]) {
            if let text = try object.text("runner") {
                guard let runner = CheckSettings.Runner(text) else {
                    let known = [CheckSettings.Runner.tensorFlowLiteName, CheckSettings.Runner.processPrefix + "COMMAND"]
                    throw SettingsProblem(
                        .unknownName, at: object.place("runner"), "The setting checks.runner names no runner.",
                        remedy: Spelling.remedy(for: text, in: known, shown: Spelling.quoted))
                }
                checks.runner = runner
            }
            checks.library = try object.text("library")
            checks.models = try object.text("models")
            checks.decoder = try object.text("decoder")
            checks.policy = try object.text("policy")
            if let side = try object.integer("crop_side", in: 256...16_384) { checks.cropSide = Int(side) }
        }
        if let named = environment["CAPTURE_LEDGER_RUNNER"], !named.isEmpty {
            guard let runner = CheckSettings.Runner(named) else {
                throw SettingsProblem(
                    .unknownName, at: "CAPTURE_LEDGER_RUNNER", "The variable CAPTURE_LEDGER_RUNNER names no runner.",
                    remedy:
                        "Make it \(CheckSettings.Runner.tensorFlowLiteName) or \(CheckSettings.Runner.processPrefix)COMMAND.")
            }
            checks.runner = runner
        }
    }

    /// Every setting of the checks with its default, or an example, as comments.
    static var checksTemplate: String {
        """
          // What captures are checked with. Once a runner is named, new sessions require checks unless they say otherwise.
          // Relative paths lie in the ledger's folder; what is not named is searched for (docs/operations.md says where).
          checks: {
            // runner: null,  // "tensorflow_lite", or "process:COMMAND"; CAPTURE_LEDGER_RUNNER overrides it
            // library: null,  // the TensorFlow Lite C library, such as "/usr/local/lib/libtensorflowlite_c.so"
            // models: null,  // the folder of the models
            // decoder: null,  // the program capture-ledger-decoder
            // policy: null,  // a check policy; null: the standard one
            // crop_side: \(CheckSettings().cropSide),  // pixels of a kept page crop's longer side
          },
        """
    }
}
