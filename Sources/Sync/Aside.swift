import DeliveryMachine
import Dispatch
import Synchronization

/// Where a run has those steps done that wait for the disk, so that requests go on meanwhile.
package protocol Aside: AnyObject {
    /// Does `work`, and calls `meanwhile` on the caller's thread, one call after the other, while that lasts or until it
    /// answers false. Returns when the work is done.
    func run(_ work: @escaping () -> Void, meanwhile: () -> Bool)
}

/// One thread beside the run's own.
package final class AsideThread: Aside {
    private let queue = DispatchQueue(label: "capture-ledger.aside", qos: .userInitiated)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: has a `meanwhile` that waits return; called from the other thread when the work is done.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    package func run(_ work: @escaping () -> Void, meanwhile: () -> Bool) {
        let errand = Errand(work)
        queue.async { [wake] in
            errand.work()
            errand.isDone.store(true, ordering: .releasing)
            errand.end.signal()
            wake()
        }
        while !errand.isDone.load(ordering: .acquiring), meanwhile() {}
        errand.end.wait()
    }

    /// Its work is handed over, and looked at again when it is done.
    private final class Errand: @unchecked Sendable {
        let work: () -> Void
        let isDone = Atomic(false)
        let end = DispatchSemaphore(value: 0)

        init(_ work: @escaping () -> Void) { self.work = work }
    }
}

extension SyncRun {
    /// Does a step that waits for the disk. Where it is done aside, answers are judged and prepared requests begin meanwhile:
    /// whoever calls finds the lanes changed, and more to settle.
    func beside<Value>(
        _ step: @escaping () throws(DeliveryFault) -> Value
    ) throws(DeliveryFault) -> Value {
        guard let aside, !isAborting, !flights.isEmpty, faultMeanwhile == nil else { return try step() }
        var result: Result<Value, DeliveryFault>?
        aside.run {
            do throws(DeliveryFault) { result = .success(try step()) } catch { result = .failure(error) }
        } meanwhile: {
            do throws(DeliveryFault) {
                judge(try transport.wait(milliseconds: 100))
                if mayBegin { try begin() }
                return true
            } catch {
                // the step's own result counts first
                faultMeanwhile = error
                return false
            }
        }
        guard let result else { preconditionFailure("a step that is done has a result") }
        return try result.get()
    }
}
