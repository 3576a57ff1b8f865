import Synchronization

/// Takes a host's analytics events. It is called on a thread of the ledger's own and may take as long as it likes.
public protocol AnalyticsReporting: AnyObject, Sendable {
    /// - Parameter parameters: one that is missing is left out.
    func report(event name: String, parameters: [String: Any?])
}

/// Where a host registers its reporter, before it opens a ledger.
public enum FlowAnalytics {
    private struct Registered: Sendable {
        weak var reporter: (any AnalyticsReporting)?
        var wasEverSet = false
    }

    private static let registered = Mutex(Registered())

    /// Held weakly: the host keeps it alive. While it is nil, events are dropped.
    public static var reporter: (any AnalyticsReporting)? {
        get { registered.withLock { $0.reporter } }
        set {
            registered.withLock {
                $0.reporter = newValue
                $0.wasEverSet = $0.wasEverSet || newValue != nil
            }
        }
    }

    /// Whether there was a reporter and there is none any more.
    static var isGone: Bool { registered.withLock { $0.wasEverSet && $0.reporter == nil } }
}
