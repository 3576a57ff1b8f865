package import DeliveryMachine
package import EventStorage
import SQLite

extension OutboxWriter {
    package func clockAnchor() throws(StorageError) -> ClockAnchor? {
        try stored { () throws(SQLiteError) in try ClockAnchor.read(statements.anchor) }
    }

    package func write(_ anchor: ClockAnchor) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.setAnchor.bind(anchor.bootID.bytes, at: 1)
            statements.setAnchor.bind(anchor.boottimeMilliseconds, at: 2)
            statements.setAnchor.bind(anchor.wallMilliseconds, at: 3)
            statements.setAnchor.bind(anchor.jumpsMilliseconds, at: 4)
            try statements.setAnchor.run()
        }
    }

    /// Moves every time that is still to be compared with the clock along with the clock.
    package func moveTimes(by jump: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let moves = [
                statements.moveWork, statements.moveDestinations, statements.moveDeadlines, statements.moveErasures,
            ]
            for statement in moves {
                statement.bind(jump, at: 1)
                try statement.run()
            }
        }
    }
}
