import Cryptography
import EventStorage
import SQLite
import SessionDomain
import SystemCalls

/// Reads a file of rows front to back, in constant memory, and believes nothing: a line of another form or out of order, a byte that is not
/// as it was written, an end that comes too early or something behind it is an error.
final class RowReader {
    /// No row is longer: what is sealed beside an event is a verifier's answer at most.
    private static let lineLimit = 1 << 24

    private let file: FileDescriptor
    private var buffer: [UInt8] = []
    private var start = 0
    private var hash = SHA256()
    private(set) var header: RowHeader
    private(set) var rows: Int64 = 0

    /// - Throws: `not_an_export`, `needs_newer_version`, `rows_damaged`.
    init(_ file: consuming FileDescriptor) throws(LedgerError) {
        self.file = file
        header = RowHeader(
            ledgerID: UUID128(high: 0, low: 0), createdAtMilliseconds: 0, schema: 0, settings: nil, after: .beginning,
            through: .beginning)
        guard let first = try nextLine(limit: 1 << 21) else { throw .notAnExport }
        let line = Array(buffer[first])
        header = try RowHeader(line)
        digest(first)
    }

    /// Hands over every row in order with its table's place in `RowTable.all`, then compares the digest.
    func forEachRow(_ body: (Int, borrowing RowBytes) throws(LedgerError) -> Void) throws(LedgerError) {
        let places = Dictionary(uniqueKeysWithValues: RowTable.all.enumerated().map { ($1.name, $0) })
        var row = RowBytes()
        var (place, last) = (0, Int64.min)
        while let line = try nextLine(limit: Self.lineLimit) {
            guard let json = try? JSONValue.parse(buffer.span.extracting(line)) else { throw damaged("is no row") }
            guard let values = json.asArray else { return try end(json) }
            guard let name = values.first?.asString, let next = places[name], next >= place else {
                throw damaged("is out of order, or of a table that is not known")
            }
            if next > place { (place, last) = (next, Int64.min) }
            let table = RowTable.all[place]
            guard encode(values.dropFirst(), table, &row) else { throw damaged("does not fit its table") }
            if table.isOrdered {
                guard let key = values[1].asInteger, key > last, !table.isGapless || key == max(last, 0) + 1 else {
                    throw damaged("comes twice or out of order")
                }
                last = key
            }
            try body(place, row)
            rows += 1
            digest(line)
        }
        throw .damagedExport("it is cut short")
    }

    private func encode(_ values: ArraySlice<JSONValue>, _ table: RowTable, _ row: inout RowBytes) -> Bool {
        guard values.count == table.columns.count else { return false }
        row.removeAll()
        for (value, column) in zip(values, table.columns) {
            switch (value, column.kind) {
            case (.null, _): row.appendNull()
            case (.integer(let number), .integer): row.append(number)
            case (.string(let text), .text): row.append(text: text)
            case (.string(let text), .blob):
                guard let bytes = Hex.bytes(text), Hex.text(bytes) == text else { return false }
                row.append(blob: bytes)
            default: return false
            }
        }
        return true
    }

    private func end(_ json: JSONValue) throws(LedgerError) {
        guard let count = json["rows"]?.asInteger, let digest = json["sha256"]?.asString, json.asMembers?.count == 2 else {
            throw damaged("is no row")
        }
        guard count == rows, digest == hash.finish().hex else { throw .damagedExport("it is not as it was written") }
        guard try nextLine(limit: 1) == nil, start == buffer.count else {
            throw .damagedExport("something follows its end")
        }
    }

    private func damaged(_ what: String) -> LedgerError { .damagedExport("line \(rows + 2) \(what)") }

    private func digest(_ line: Range<Int>) {
        hash.update(buffer.span.extracting(line))
        hash.update(byte: 0x0A)
    }

    /// The place in the buffer of the next line, valid until the next call; nil at the file's end.
    private func nextLine(limit: Int) throws(LedgerError) -> Range<Int>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return start..<end
            }
            searched = buffer.count
            guard buffer.count - start <= limit else { throw .damagedExport("a line of it is too long") }
            if start > 0 {
                buffer.removeFirst(start)
                searched -= start
                start = 0
            }
            var chunk = [UInt8](repeating: 0, count: 1 << 18)
            let count = try called { () throws(SystemError) in
                var span = chunk.mutableSpan
                return try file.read(into: &span)
            }
            if count == 0 { return nil }
            buffer.append(contentsOf: chunk[..<count])
        }
    }
}
