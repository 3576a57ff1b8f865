import SessionDomain
import SystemCalls

extension NamedTimeZone {
    /// Where systems keep the files, as Python's zoneinfo looks for them.
    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]

    /// - Throws: `unknown_time_zone`, with the name that was probably meant; `time_zone_unreadable`.
    package static func named(_ name: String) throws(LedgerError) -> NamedTimeZone {
        if ["UTC", "Etc/UTC", "Z"].contains(name) { return .utc }
        guard isName(name) else { throw unknown(name) }
        for folder in folders {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileDescriptor(readingFile: folder + "/" + name).readToEnd(limit: 1 << 20)
            } catch { continue }
            guard let zone = NamedTimeZone(name: name, file: bytes) else {
                throw LedgerError(
                    code: .init(rawValue: "time_zone_unreadable"),
                    message: "The system's file for the time zone \(name) is not one that can be read.",
                    remedy: "Install the package tzdata anew, or use another zone.")
            }
            return zone
        }
        throw unknown(name)
    }

    private static func unknown(_ name: String) -> LedgerError {
        let known = knownNames()
        let meant =
            known.first { $0.lowercased() == name.lowercased() } ?? known.first { $0.hasSuffix("/" + name) }
            ?? Spelling.nearest(to: name, in: known)
        let remedy =
            known.isEmpty
            ? "This system has no time zones: install the package tzdata, or use UTC."
            : meant.map { "Did you mean \($0)?" }
                ?? "Use a name such as Europe/Istanbul; timedatectl list-timezones has them all."
        return LedgerError(
            code: .init(rawValue: "unknown_time_zone"), message: "There is no time zone of that name.", remedy: remedy)
    }

    /// Parts of letters, digits, hyphen, underscore and plus, with slashes between: nothing that leaves the folder.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || [0x2D, 0x5F, 0x2B].contains($0)
                    }
            }
    }

    /// The names of the first folder that is there, sorted.
    private static func knownNames() -> [String] {
        for folder in folders {
            var found: [String] = []
            collect(folder, "", &found)
            if !found.isEmpty { return found.sorted() }
        }
        return []
    }

    private static func collect(_ folder: String, _ prefix: String, _ found: inout [String]) {
        guard let opened = try? FileDescriptor(opening: folder, .folder, followLinks: true), let names = try? opened.names()
        else { return }
        for name in names where isName(name) && !(prefix.isEmpty && ["posix", "right", "localtime", "Factory"].contains(name)) {
            let path = folder + "/" + name
            switch (try? FileStatus.of(path))??.kind {
            case .folder where prefix.utf8.count < 40: collect(path, prefix + name + "/", &found)
            case .file where name.utf8.first.map { (0x41...0x5A).contains($0) } ?? false: found.append(prefix + name)
            default: break
            }
        }
    }
}

extension NamedTimeZone {
    /// Reads a TZif file (RFC 8536) of any version. nil for one that is not whole, or that counts leap seconds.
    init?(name: String, file: [UInt8]) {
        var reader = TZifReader(bytes: file)
        guard var header = reader.header() else { return nil }
        if header.version >= 2 {
            guard reader.skip(header.size(timeBytes: 4)), let second = reader.header() else { return nil }
            header = second
        }
        let timeBytes = header.version >= 2 ? 8 : 4
        guard header.leaps == 0, header.types > 0, let block = reader.take(header.size(timeBytes: timeBytes)) else {
            return nil
        }
        let types = header.times * (timeBytes + 1)
        func offset(_ type: Int) -> Int? {
            guard type < header.types else { return nil }
            return Int(Int32(truncatingIfNeeded: TZifReader.number(block.dropFirst(types + type * 6).prefix(4))))
        }
        var transitions: [Int64] = []
        var offsets: [Int] = []
        for index in 0..<header.times {
            let bytes = block.dropFirst(index * timeBytes).prefix(timeBytes)
            let time = TZifReader.number(bytes)
            let type = block[block.startIndex + header.times * timeBytes + index]
            guard let offset = offset(Int(type)), transitions.last.map({ $0 < time }) ?? true else { return nil }
            transitions.append(time)
            offsets.append(offset)
        }
        guard let first = offset(0) else { return nil }
        var rule: TimeZoneRule?
        if header.version >= 2, let footer = reader.footer(), !footer.isEmpty {
            guard let read = TimeZoneRule(footer) else { return nil }
            rule = read
        }
        self.init(name: name, transitions: transitions, offsets: offsets, firstOffset: first, rule: rule)
    }
}

private struct TZifReader {
    struct Header {
        let version: Int
        let universal: Int
        let standard: Int
        let leaps: Int
        let times: Int
        let types: Int
        let characters: Int

        func size(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standard + universal
        }
    }

    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func header() -> Header? {
        guard let head = take(44), head.starts(with: Array("TZif".utf8)) else { return nil }
        let digit = head[head.startIndex + 4]
        let counts = (0..<6).map { Int(Self.number(head.dropFirst(20 + $0 * 4).prefix(4))) }
        guard digit == 0 || (0x32...0x39).contains(digit), counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        return Header(
            version: digit == 0 ? 1 : Int(digit - 0x30), universal: counts[0], standard: counts[1], leaps: counts[2],
            times: counts[3], types: counts[4], characters: counts[5])
    }

    /// The text between the two line feeds at the end; nil where it is not there.
    func footer() -> String? {
        let rest = bytes[min(position, bytes.count)...]
        guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else { return nil }
        return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    }

    /// Big-endian, signed.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return bytes.count == 8 ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
    }
}
