import CaptureLedger

/// A secret that is looked at again from time to time, so that a rotation during a long run is noticed before a refusal.
final class KeptSecret {
    let source: SecretSource
    private let place: String
    private let secrets: SecretReader
    private let wait: CredentialWait
    private var known: (result: Result<String, SettingsProblem>, readAt: Duration)?

    /// - Parameters:
    ///   - place: the setting without `_file` or `_command`.
    init(_ source: SecretSource, at place: String, _ secrets: SecretReader, _ wait: CredentialWait) {
        self.source = source
        let suffix = if case .command = source { "_command" } else { "_file" }
        self.place = place + suffix
        self.secrets = secrets
        self.wait = wait
    }

    /// A file is cheap to read; running a command may cost somebody else a request. One that failed is not run again at once
    /// either: it may have taken all the time that it is given.
    private var age: Duration {
        guard case .command = source else { return .seconds(5) }
        return if case .failure? = known?.result { .seconds(60) } else { .seconds(300) }
    }

    /// - Parameter isFresh: whatever was read before.
    func line(isFresh: Bool = false) throws(SettingsProblem) -> String {
        let now = wait.steady()
        if !isFresh, let known, now - known.readAt < age { return try known.result.get() }
        let result: Result<String, SettingsProblem>
        do throws(SettingsProblem) {
            result = .success(try secrets.line(source, at: place, isOver: wait.isOver))
        } catch {
            // one that was not waited for says nothing about the next
            if wait.isOver() { throw error }
            result = .failure(error)
        }
        known = (result, wait.steady())
        return try result.get()
    }

    /// nil: there is none to be had.
    func lineIfAny(isFresh: Bool = false) -> String? {
        do throws(SettingsProblem) { return try line(isFresh: isFresh) } catch { return nil }
    }
}
