import EventStorage
import SessionDomain

extension JSONWriter {
    mutating func csv(_ row: ReplayRow) {
        cell(row.position, isFirst: true)
        cell(plain: row.session.text)
        cell(row.version)
        cell(plain: row.eventID.text)
        cell(text: row.type)
        cell(Int64(row.schemaVersion))
        cell(row.recordedAtMilliseconds)
        cell(plain: TimeText.text(row.recordedAtMilliseconds))
        cell(row.occurredAtMilliseconds)
        cell(plain: row.flags.contains(.clientClockSkewed) ? "true" : "false")
        cell(text: row.commandID)
        cell(text: row.correlationID)
        cell(row.causationPosition)
        cell(text: row.actor)
        cell(text: row.piece)
        cell(plain: row.captureID?.text)
        cell(text: row.source)
        cell(text: row.outcome)
        cell(text: row.reason)
        cell(row.durationMilliseconds)
        cell(plain: row.hasPrivateHalf ? "true" : "false")
        cell(text: row.facts)
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    private mutating func cell(_ value: Int64?, isFirst: Bool = false) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if let value { write(value) }
    }

    private mutating func cell(plain text: String?) {
        bytes.append(UInt8(ascii: ","))
        if let text { bytes.append(contentsOf: text.utf8) }
    }

    /// Text that came from outside: quoted where RFC 4180 asks for it, and with an apostrophe before what a spreadsheet would take for a
    /// formula.
    private mutating func cell(text: String?) {
        bytes.append(UInt8(ascii: ","))
        guard let text else { return }
        let isFormula = CSVText.beginsFormula(text)
        guard isFormula || text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for unit in text.utf8 {
            if unit == 0x22 { bytes.append(0x22) }
            bytes.append(unit)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
