/// What an ended request asks for; how much of it is spent is the action's own.
package enum RuleAction: Hashable, Sendable {
    /// The endpoint decided: its answer is applied.
    case deliver
    /// Taken in; the outcome is asked for at a status address until there is one.
    case poll
    /// Again after a back-off, with the same key and bytes. Spends an attempt.
    case retry
    /// As `retry`, and the whole destination is left alone for as long as it says.
    case throttle
    /// As `retry`, over a connection of its own.
    case retryOnNewConnection
    /// An answer that the contract does not know: retried; two deliveries in a row pause the destination, one that stays alone
    /// with it is parked.
    case contractBreak
    /// The status address knows nothing of the delivery, or cannot say: it is sent again, same key, same bytes.
    case sendAgain
    /// Nothing arrived: again soon, which spends neither attempt nor age.
    case tryLater
    /// Our own side ended it: at once in the next run, which spends no attempt.
    case goOnLater
    /// Another credential is asked for once; without one the destination pauses until there is.
    case renewCredential
    case pause(PauseEnd)
    case park(ParkCause)
}

/// What lifts a pause.
package enum PauseEnd: Hashable, Sendable {
    /// Another credential, at once.
    case credential
    /// One delivery goes through now and then to see.
    case probe
    /// Only a person.
    case person
}

/// What an ended request says about the endpoint as a whole: the circuit breaker counts it.
package enum EndpointSign: String, Hashable, Sendable {
    /// It answers and does its work.
    case works
    /// It, or the way to it, is broken.
    case fails
    case unclear
}
