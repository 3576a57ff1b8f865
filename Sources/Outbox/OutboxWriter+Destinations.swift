package import DeliveryMachine
package import EventStorage
import SQLite
import SessionDomain

extension OutboxWriter {
    /// The pause that only a person sets and only a person lifts.
    package static let pausedByOperator = Explanation(rawValue: "by_operator")

    package func apply(_ change: DestinationChange, to destination: String, byPerson: Bool = false) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            switch change {
            case .pause(let pause):
                statements.pause.bind(destination, at: 1)
                statements.pause.bind(pause.reason.rawValue, at: 2)
                statements.pause.bind(pause.sinceMilliseconds, at: 3)
                statements.pause.bind(pause.probeAtMilliseconds, at: 4)
                statements.pause.bind(pause.credentialFingerprint, at: 5)
                statements.pause.bind(byPerson ? 1 : 0, at: 6)
                try statements.pause.run()
            case .resume:
                statements.resume.bind(destination, at: 1)
                statements.resume.bind(byPerson ? 1 : 0, at: 2)
                try statements.resume.run()
            case .contractBreakWitness(let witness):
                statements.witness.bind(destination, at: 1)
                statements.witness.bind(witness?.uuid.bytes, at: 2)
                try statements.witness.run()
            case .failuresInARow(let count):
                statements.failures.bind(destination, at: 1)
                statements.failures.bind(count, at: 2)
                try statements.failures.run()
            case .breaker(let breaker):
                statements.breaker.bind(destination, at: 1)
                statements.breaker.bind(breaker?.untilMilliseconds, at: 2)
                statements.breaker.bind(breaker?.openings ?? 0, at: 3)
                statements.breaker.bind(breaker?.reason.rawValue, at: 4)
                try statements.breaker.run()
            case .lastDeliveredAt(let time):
                statements.lastDelivered.bind(destination, at: 1)
                statements.lastDelivered.bind(time, at: 2)
                try statements.lastDelivered.run()
            }
        }
    }
}
