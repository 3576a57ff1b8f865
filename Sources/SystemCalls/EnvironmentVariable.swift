import Glibc

/// The environment of this process; see getenv(3).
package enum EnvironmentVariable {
    /// Nil when it is not set.
    package static func value(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
