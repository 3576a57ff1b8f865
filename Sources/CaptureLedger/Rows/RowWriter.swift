import Cryptography
import EventStorage
import SQLite
import SessionDomain
import SystemCalls

/// Writes a file of rows front to back, in constant memory: a header, the rows of every table in order, and a line with their digest.
final class RowWriter {
    private static let bufferSize = 1 << 18

    private let file: FileDescriptor
    private let header: RowHeader
    private var line = JSONWriter()
    private var hash = SHA256()
    private(set) var rows: Int64 = 0
    private(set) var bytes: Int64 = 0

    init(_ file: consuming FileDescriptor, _ header: RowHeader) {
        self.file = file
        self.header = header
        line.bytes = header.bytes + [0x0A]
    }

    /// - Parameter argument: what the table's statement is asked with.
    func write(_ table: RowTable, of connection: Connection, _ argument: Int64) throws(LedgerError) {
        let statement = try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let statement = try Statement(connection, table.rows)
                statement.bind(argument, at: 1)
                return statement
            }
        }
        while try translated({ () throws(StorageError) in try stored { () throws(SQLiteError) in try statement.step() } }) {
            append(table, statement)
            rows += 1
            if line.bytes.count >= Self.bufferSize { try flush() }
        }
    }

    private func append(_ table: RowTable, _ row: Statement) {
        line.bytes.append(UInt8(ascii: "["))
        line.write(table.name)
        for (index, column) in table.columns.enumerated() {
            let place = Int32(index)
            line.bytes.append(UInt8(ascii: ","))
            if row.isNull(place) {
                line.bytes.append(contentsOf: "null".utf8)
                continue
            }
            switch column.kind {
            case .integer: line.write(row.int64(place))
            case .text: line.write(row.text(place))
            case .blob:
                line.bytes.append(UInt8(ascii: "\""))
                Hex.append(row.blob(place), to: &line.bytes)
                line.bytes.append(UInt8(ascii: "\""))
            }
        }
        line.bytes.append(UInt8(ascii: "]"))
        line.bytes.append(0x0A)
    }

    private func flush() throws(LedgerError) {
        hash.update(line.bytes)
        bytes += Int64(line.bytes.count)
        try called { () throws(SystemError) in try file.write(line.bytes) }
        line.bytes.removeAll(keepingCapacity: true)
    }

    /// The file is whole and on the disk when it returns.
    func finish() throws(LedgerError) {
        try flush()
        let end: JSONValue = .members([
            .init("rows", .integer(rows)), .init("sha256", .string(hash.finish().hex)),
        ])
        line.bytes = end.canonicalBytes + [0x0A]
        bytes += Int64(line.bytes.count)
        try called { () throws(SystemError) in
            try file.write(line.bytes)
            try file.synchronize()
        }
    }
}
