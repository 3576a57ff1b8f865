extension Verb {
    /// Every verb, in the order of the overview.
    static let all: [Verb] = [
        sessionStart, sessionShow, sessionFind, sessionList, sessionExit, sessionCancel, sessionSuspend, sessionResume, capture,
        confirm, retake, drop, configCheck,
    ]
}
