package import DeliveryMachine
package import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension OutboxReader {
    /// What is remembered about a destination; nothing before it was first used.
    package func state(of destination: String) throws(StorageError) -> DestinationState {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.findDestinationState)
            row.bind(destination, at: 1)
            var state = DestinationState()
            guard try row.step() else { return state }
            if let reason = row.optionalText(0) {
                state.pause = DestinationPause(
                    reason: Explanation(rawValue: reason), sinceMilliseconds: row.int64(1),
                    probeAtMilliseconds: row.optionalInt64(2), credentialFingerprint: row.optionalText(3))
            }
            state.contractBreakWitness = row.words(4).map { DeliveryID(UUID128(high: $0.0, low: $0.1)) }
            state.failuresInARow = row.int(5)
            state.lastDeliveredAtMilliseconds = row.optionalInt64(6)
            if let until = row.optionalInt64(7) {
                state.breaker = Breaker(
                    untilMilliseconds: until, openings: row.int(8),
                    reason: row.optionalText(9).map { Explanation(rawValue: $0) } ?? .keepsFailing)
            }
            return state
        }
    }
}
