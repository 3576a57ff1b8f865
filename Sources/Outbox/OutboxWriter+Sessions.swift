package import DeliveryMachine
package import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension OutboxWriter {
    /// Deliveries of these sessions that are due, each session's in its order.
    package func candidates(
        _ quota: ClaimQuota, ofSessions numbers: [Int64], nowMilliseconds: Int64
    ) throws(StorageError) -> [Candidate] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.claimCandidatesOfSession)
            var found: [Candidate] = []
            for number in numbers where found.count < quota.limit {
                statement.bind(number, at: 1)
                statement.bind(quota.destination.text, at: 2)
                statement.bind(nowMilliseconds, at: 3)
                statement.bind(quota.limit - found.count, at: 4)
                statement.bind(quota.longestWaitMilliseconds, at: 5)
                while try statement.step() { found.append(Candidate(statement)) }
                statement.reset()
            }
            return found
        }
    }
}
