import MediaChecks
import SystemCalls

/// Where a runner's library was found.
package struct RunnerLibrary: Sendable, Hashable {
    package let path: String

    package init(path: String) { self.path = path }
}
