extension CheckPolicy {
    /// A JSON5 file with every entry of this policy under a comment, to begin an own policy with.
    package var template: String {
        """
        // Rules of the checks. Give the policy a version of your own when you change it: every finding names it.
        {
          version: "\(version)",

          detector: {
        \(detector.template)  },

          passport: {
        \(passport.template)  },

          selfie: {
        \(selfie.template)  },

          live: {
        \(live.template)  },

          hologram: {
        \(hologram.template)  },

          // Pins a model to a SHA-256, such as passport_detector: "0123…". A model with another digest is not run.
          models: {
        \(pins)  },
        }

        """
    }

    private var pins: String {
        ModelRole.allCases.map { role in
            models[role].map { "    \(role.rawValue): \"\($0)\",\n" } ?? "    // \(role.rawValue): null,\n"
        }.joined()
    }
}
