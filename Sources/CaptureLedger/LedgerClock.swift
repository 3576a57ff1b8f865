import SystemCalls

/// The store's clock, injected so that tests can turn it.
package struct LedgerClock: Sendable {
    package let nowMilliseconds: @Sendable () -> Int64

    package init(nowMilliseconds: @escaping @Sendable () -> Int64) { self.nowMilliseconds = nowMilliseconds }

    package static let system = LedgerClock { SystemClock.realtimeMilliseconds() }
}
