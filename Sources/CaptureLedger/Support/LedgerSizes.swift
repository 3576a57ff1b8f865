import SessionDomain
import SystemCalls

/// How large a ledger's files are, without a name that a session or a person gave.
enum LedgerSizes {
    private static let files = [
        "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "analytics.sqlite", "keys/keys.sqlite", "access.jsonl",
        Settings.fileName,
    ]
    private static let folders = ["media", "evidence", "workers", "followers", "credentials"]

    static func json(of folder: String) throws(LedgerError) -> JSONValue {
        var members: [JSONValue.Member] = []
        for name in files {
            guard let status = try? FileStatus.of(folder + "/" + name) else { continue }
            members.append(
                .init(
                    name,
                    .members([
                        .init("bytes", .integer(status.size)), .init("mode", .string(String(status.mode, radix: 8))),
                    ])))
        }
        for name in folders {
            var (count, bytes): (Int64, Int64) = (0, 0)
            walk(folder + "/" + name, &count, &bytes)
            members.append(.init(name, .members([.init("files", .integer(count)), .init("bytes", .integer(bytes))])))
        }
        let free = try called { () throws(SystemError) in try FileSystem.freeBytes(at: folder) }
        members.append(.init("free_bytes", .integer(free)))
        return .members(members)
    }

    private static func walk(_ path: String, _ count: inout Int64, _ bytes: inout Int64) {
        guard let folder = try? FileDescriptor(opening: path, .folder), let names = try? folder.names() else { return }
        for name in names {
            guard let status = (try? folder.status(of: name)) ?? nil else { continue }
            if status.kind == .folder { walk(path + "/" + name, &count, &bytes) }
            if status.kind == .file { (count, bytes) = (count + 1, bytes + status.size) }
        }
    }
}
