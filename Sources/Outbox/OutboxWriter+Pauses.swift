package import EventStorage
import SQLite

extension OutboxWriter {
    /// Nothing of the session is sent until it is resumed.
    package func pause(session number: Int64, position: Int64, nowMilliseconds: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.pauseSession.bind(number, at: 1)
            statements.pauseSession.bind(position, at: 2)
            statements.pauseSession.bind(nowMilliseconds, at: 3)
            try statements.pauseSession.run()
        }
    }

    package func resume(session number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.resumeSession.bind(number, at: 1)
            try statements.resumeSession.run()
        }
    }

    package func isPaused(session number: Int64) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in
            statements.isSessionPaused.bind(number, at: 1)
            defer { statements.isSessionPaused.reset() }
            return try statements.isSessionPaused.step()
        }
    }

    /// A person does not want to wait for the next attempt. False when a worker has it in hand: it is being tried now.
    package func hasten(_ number: Int64, nowMilliseconds: Int64) throws(StorageError) -> Bool {
        guard try work(number)?.holder == nil else { return false }
        try stored { () throws(SQLiteError) in
            statements.hasten.bind(number, at: 1)
            statements.hasten.bind(nowMilliseconds, at: 2)
            try statements.hasten.run()
        }
        return true
    }
}
