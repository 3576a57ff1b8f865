/// How long a run goes on waiting for a credential.
struct CredentialWait {
    /// A clock that never goes back.
    let steady: () -> Duration
    /// Asked several times a second while something is waited for.
    let isOver: () -> Bool

    /// - Parameter isOver: by default a credential is waited for as long as it may take.
    init(steady: @escaping () -> Duration, isOver: @escaping () -> Bool = { false }) {
        self.steady = steady
        self.isOver = isOver
    }
}
