import CaptureLedger

/// A secret that is looked at again from time to time, so that a rotation during a long run is noticed before a refusal.
final class KeptSecret {
    let source: SecretSource
    private let place: String
    private let secrets: SecretReader
    private let steady: () -> Duration
    private var known: (result: Result<String, SettingsProblem>, readAt: Duration)?

    /// - Parameters:
    ///   - place: the setting without `_file` or `_command`.
    ///   - steady: a clock that never goes back.
    init(_ source: SecretSource, at place: String, _ secrets: SecretReader, steady: @escaping () -> Duration) {
        self.source = source
        let suffix = if case .command = source { "_command" } else { "_file" }
        self.place = place + suffix
        self.secrets = secrets
        self.steady = steady
    }

    /// A file is cheap to read; running a command may cost somebody else a request. One that failed is not run again at once
    /// either: it may have taken all the time that it is given.
    private var age: Duration {
        guard case .command = source else { return .seconds(5) }
        return if case .failure? = known?.result { .seconds(60) } else { .seconds(300) }
    }

    /// - Parameter isFresh: whatever was read before.
    func line(isFresh: Bool = false) throws(SettingsProblem) -> String {
        let now = steady()
        if !isFresh, let known, now - known.readAt < age { return try known.result.get() }
        let result: Result<String, SettingsProblem>
        do throws(SettingsProblem) { result = .success(try secrets.line(source, at: place)) } catch { result = .failure(error) }
        known = (result, steady())
        return try result.get()
    }

    /// nil: there is none to be had.
    func lineIfAny(isFresh: Bool = false) -> String? {
        do throws(SettingsProblem) { return try line(isFresh: isFresh) } catch { return nil }
    }
}
