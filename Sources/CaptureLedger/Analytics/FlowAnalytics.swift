import Synchronization

/// Takes a host's analytics events. It is called on a thread of the ledger's own and may take as long as it likes.
public protocol AnalyticsReporting: AnyObject, Sendable {
    /// - Parameters:
    ///   - name: one of the six, such as `identity_capture_started`.
    ///   - parameters: one that is missing is left out.
    func report(event name: String, parameters: [String: Any?])
}

/// Where a host registers its reporter, before it opens a ledger.
public enum FlowAnalytics {
    private struct Registered: Sendable {
        weak var reporter: (any AnalyticsReporting)?
        /// One was set, and the host has not taken it back.
        var isWanted = false
    }

    private static let registered = Mutex(Registered())

    /// Held weakly: the host keeps it alive. While it is nil, events are dropped.
    public static var reporter: (any AnalyticsReporting)? {
        get { registered.withLock { $0.reporter } }
        set {
            registered.withLock {
                $0.reporter = newValue
                $0.isWanted = newValue != nil
            }
        }
    }

    /// True once after the host let go of its reporter without taking it back here.
    static func noticeLoss() -> Bool {
        registered.withLock { registered in
            guard registered.isWanted, registered.reporter == nil else { return false }
            registered.isWanted = false
            return true
        }
    }
}
