package import DeliveryMachine

/// What kind of day a world has. A seed draws one; a test may write its own.
package struct Plan: Sendable {
    package struct Worker: Sendable {
        /// Between two starts: a minute for cron, seconds for a daemon that looks again and again.
        package var everyMilliseconds: Int64 = 60_000
        package var splayMilliseconds: Int64 = 0
        package var deadlineMilliseconds: Int64?
        package var limit: Int?

        package init() {}
    }

    /// Something that holds from one time to another.
    package struct Span: Sendable {
        package enum Kind: Sendable {
            case offline
            case untrusted
            case failing
            case refusingConnections
            case silent
            case throttling
            case captivePortal
            case redirecting
            case refusing
            case gone
        }

        package var kind: Kind
        /// nil for every endpoint.
        package var server: Int?
        package var begin: Int64
        package var end: Int64

        package init(_ kind: Kind, server: Int?, begin: Int64, end: Int64) {
            self.kind = kind
            self.server = server
            self.begin = begin
            self.end = end
        }
    }

    /// Shares in a million, for one request each.
    package struct Network: Sendable {
        package var notConnected = 0
        package var reset = 0
        package var answerLost = 0
        package var duplicated = 0
        package var late = 0
        package var slow = 0

        package init() {}
    }

    package struct Server: Sendable {
        /// Whether it tells a repeated request by its key; else by its body.
        package var knowsKeys = true
        package var hasStatusTemplate = false
        package var inFlightLimit = 4
        /// Whether our side can fetch the next credential itself.
        package var renewsCredential = false
        // shares in a million, for one request each
        package var accepted = 0
        package var forgets = 0
        package var failsBefore = 0
        package var failsAfter = 0
        package var throttles = 0
        package var breaksContract = 0
        package var refuses = 0
        package var rejects = 0
        package var undecided = 0

        package init() {}
    }

    package struct Sessions: Sendable {
        package var count = 4
        package var pieces = 3
        // shares in a million
        package var strict = 500_000
        package var hologram = 200_000
        package var lateTransaction = 300_000
        package var supersede = 50_000
        package var cancel = 10_000
        package var erase = 10_000
        package var poisoned = 0
        package var damaged = 0

        package init() {}
    }

    /// Shares in a million, for one process each, unless said otherwise.
    package struct Mishaps: Sendable {
        package var crash = 0
        package var kill = 0
        package var signal = 0
        /// For one step.
        package var pause = 0
        /// For one write.
        package var diskFull = 0
        package var hang = 0
        package var lostLock = 0

        package init() {}
    }

    /// When the faults stop.
    package var healsAt: Int64 = 86_400_000
    package var workers: [Worker] = [Worker()]
    /// Whether one run at a time holds the lock of the one-shot runs; else they work side by side.
    package var isExclusive = true
    package var sessions = Sessions()
    package var network = Network()
    /// The verifier, the hologram's endpoint, and perhaps a second verifier.
    package var servers: [Server] = [Server(), Server()]
    package var mishaps = Mishaps()
    package var spans: [Span] = []
    package var clockSteps: [(at: Int64, by: Int64)] = []
    /// A clock that was not kept while the machine was off, or set meanwhile, is wrong when it starts.
    package var reboots: [(at: Int64, clockError: Int64)] = []
    package var credentialChanges: [(at: Int64, server: Int, noticedAt: Int64)] = []
    package var retry = RetryPolicy()
    package var totalTimeoutMilliseconds = 600_000
    package var destroysVideo = false
    package var operatorEvery: Int64 = 3_600_000

    package init() {}
}
