import MediaChecks

/// Why a model runner's process gave no answer.
enum RunnerFailure: Error {
    /// It is sound, and refuses.
    case refused(ModelFault.Code, String)
    /// It must be ended.
    case broken(String)

    static let garbage = RunnerFailure.broken("what it wrote is no message of the protocol")
}
