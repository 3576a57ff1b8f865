import SQLite
package import SessionDomain

/// What a command left behind, kept for a repetition of it.
package struct StoredReceipt: Sendable, Equatable {
    package let bodyDigest: [UInt8]
    package let firstPosition: Int64
    package let eventCount: Int64

    package init(bodyDigest: [UInt8], firstPosition: Int64, eventCount: Int64) {
        self.bodyDigest = bodyDigest
        self.firstPosition = firstPosition
        self.eventCount = eventCount
    }

    package var positions: [Int64] { eventCount == 0 ? [] : Array(firstPosition..<firstPosition + eventCount) }
}

/// Kinds of private look-ups, as stored.
package enum LookupKind: Int64, Sendable, CaseIterable {
    case clientKey = 1
    case subject, transaction, media, startCommand, group
}

extension EventWriter {
    package func receipt(session number: Int64, command: CommandID) throws(StorageError) -> StoredReceipt? {
        try stored { () throws(SQLiteError) in
            values.removeAll()
            values.append(number)
            values.append(command.text)
            defer { statements.findReceipt.reset() }
            guard try statements.findReceipt.step(binding: values) else { return nil }
            return StoredReceipt(
                bodyDigest: statements.findReceipt.blob(0), firstPosition: statements.findReceipt.int64(1),
                eventCount: statements.findReceipt.int64(2))
        }
    }

    package func insert(_ receipt: StoredReceipt, session number: Int64, command: CommandID) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            values.removeAll()
            values.append(number)
            values.append(command.text)
            values.append(blob: receipt.bodyDigest)
            values.append(receipt.firstPosition)
            values.append(receipt.eventCount)
            try statements.insertReceipt.run(values)
        }
    }

    /// Keeps a configuration once, whoever uses it.
    package func intern(configuration json: String, digest: [UInt8]) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.insertConfiguration.bind(digest, at: 1)
            statements.insertConfiguration.bind(json, at: 2)
            try statements.insertConfiguration.run()
        }
    }

    package func insertLookup(_ kind: LookupKind, digest: [UInt8], session number: Int64) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            statements.insertLookup.bind(kind.rawValue, at: 1)
            statements.insertLookup.bind(digest, at: 2)
            statements.insertLookup.bind(number, at: 3)
            try statements.insertLookup.run()
        }
    }
}
