extension Verb {
    /// Every verb, in the order of the overview.
    static let all: [Verb] = [configCheck]
}
