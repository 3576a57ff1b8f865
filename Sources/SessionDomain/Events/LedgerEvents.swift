/// The wall clock jumped; nothing expires because of it.
package struct ClockAdjusted: Hashable, Sendable {
    package let fromMilliseconds: Int64
    package let toMilliseconds: Int64

    package init(fromMilliseconds: Int64, toMilliseconds: Int64) {
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }
}

/// A check policy came into force.
package struct PolicyRegistered: Hashable, Sendable {
    package let policyVersion: String
    package let digest: Digest256

    package init(policyVersion: String, digest: Digest256) {
        self.policyVersion = policyVersion
        self.digest = digest
    }
}

/// No delivery goes to the destination until it is resumed.
package struct DestinationPaused: Hashable, Sendable {
    package let destination: String
    /// A code.
    package let cause: String

    package init(destination: String, cause: String) {
        self.destination = destination
        self.cause = cause
    }
}

/// Deliveries go to the destination again.
package struct DestinationResumed: Hashable, Sendable {
    package let destination: String
    /// A code.
    package let cause: String

    package init(destination: String, cause: String) {
        self.destination = destination
        self.cause = cause
    }
}

/// Nothing of the session is sent until its deliveries are resumed; capturing goes on.
package struct SessionDeliveriesPaused: Hashable, Sendable {
    package let sessionID: SessionID
    /// A code.
    package let cause: String

    package init(sessionID: SessionID, cause: String) {
        self.sessionID = sessionID
        self.cause = cause
    }
}

/// What the session confirmed is sent again.
package struct SessionDeliveriesResumed: Hashable, Sendable {
    package let sessionID: SessionID
    /// A code.
    package let cause: String

    package init(sessionID: SessionID, cause: String) {
        self.sessionID = sessionID
        self.cause = cause
    }
}

/// A person had parked deliveries of a destination tried again.
package struct DeliveryRequeued: Hashable, Sendable {
    package let destination: String
    /// nil: all that were parked.
    package let deliveryID: DeliveryID?
    package let count: Int

    package init(destination: String, deliveryID: DeliveryID?, count: Int) {
        self.destination = destination
        self.deliveryID = deliveryID
        self.count = count
    }
}

/// A session will be erased when its undo window ends.
package struct ErasureRequested: Hashable, Sendable {
    package let sessionID: SessionID
    package let dueAtMilliseconds: Int64

    package init(sessionID: SessionID, dueAtMilliseconds: Int64) {
        self.sessionID = sessionID
        self.dueAtMilliseconds = dueAtMilliseconds
    }
}

/// The erasure was called off in time.
package struct ErasureWithdrawn: Hashable, Sendable {
    package let sessionID: SessionID

    package init(sessionID: SessionID) { self.sessionID = sessionID }
}

/// Keys are wrapped by another master key.
package struct KeyRotated: Hashable, Sendable {
    package let generation: Int

    package init(generation: Int) { self.generation = generation }
}

/// The ledger was restored from a backup.
package struct LedgerRestored: Hashable, Sendable {
    package let epoch: UUID128
    /// The last one of the backup.
    package let position: Int64

    package init(epoch: UUID128, position: Int64) {
        self.epoch = epoch
        self.position = position
    }
}

/// Checkpoints are signed with another key from here on.
package struct SigningKeyAdded: Hashable, Sendable {
    /// 1 for the first.
    package let generation: Int
    /// The 32 bytes of an Ed25519 public key.
    package let publicKey: Digest256
    /// The signature of the key before it, as 128 hexadecimal digits; nil for the first.
    package let endorsement: String?

    package init(generation: Int, publicKey: Digest256, endorsement: String?) {
        self.generation = generation
        self.publicKey = publicKey
        self.endorsement = endorsement
    }
}
