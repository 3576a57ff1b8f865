/// The configuration is frozen into the session.
package struct SessionStarted: Hashable, Sendable {
    package let configuration: FrozenConfiguration
    package let startedAtMilliseconds: Int64
    /// By the store clock; nil: the session never expires.
    package let deadlineAtMilliseconds: Int64?
    /// Keyed digest of the transaction, where the session began with one.
    package let transaction: Digest256?

    package init(
        configuration: FrozenConfiguration, startedAtMilliseconds: Int64, deadlineAtMilliseconds: Int64?,
        transaction: Digest256?
    ) {
        self.configuration = configuration
        self.startedAtMilliseconds = startedAtMilliseconds
        self.deadlineAtMilliseconds = deadlineAtMilliseconds
        self.transaction = transaction
    }
}

/// The user paused; a pause is not an exit.
package struct SessionSuspended: Hashable, Sendable {
    package let suspendedAtMilliseconds: Int64

    package init(suspendedAtMilliseconds: Int64) { self.suspendedAtMilliseconds = suspendedAtMilliseconds }
}

/// Capturing goes on, perhaps on another device.
package struct SessionResumed: Hashable, Sendable {
    package let resumedAtMilliseconds: Int64

    package init(resumedAtMilliseconds: Int64) { self.resumedAtMilliseconds = resumedAtMilliseconds }
}

/// Every remaining piece is verified; exactly once.
package struct SessionCompleted: Hashable, Sendable {
    package let durationMilliseconds: Int64

    package init(durationMilliseconds: Int64) { self.durationMilliseconds = durationMilliseconds }
}

/// The user backed out.
package struct SessionExited: Hashable, Sendable {
    package let exitClass: ExitClass
    package let durationMilliseconds: Int64

    package init(exitClass: ExitClass, durationMilliseconds: Int64) {
        self.exitClass = exitClass
        self.durationMilliseconds = durationMilliseconds
    }
}

/// The deadline passed while the session was still capturing.
package struct SessionExpired: Hashable, Sendable {
    package let durationMilliseconds: Int64

    package init(durationMilliseconds: Int64) { self.durationMilliseconds = durationMilliseconds }
}

/// The host called the session off.
package struct SessionCancelled: Hashable, Sendable {
    package let durationMilliseconds: Int64

    package init(durationMilliseconds: Int64) { self.durationMilliseconds = durationMilliseconds }
}

/// The session's key is destroyed.
package struct SessionErased: Hashable, Sendable {
    package let erasedAtMilliseconds: Int64

    package init(erasedAtMilliseconds: Int64) { self.erasedAtMilliseconds = erasedAtMilliseconds }
}
