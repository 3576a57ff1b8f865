import SessionDomain
import SystemCalls

extension Ledger {
    /// Notes in `access.jsonl`, durably, that something private is given out: one JSON object a line, which names no person.
    ///
    /// - Parameter what: a code, such as `media_opened`.
    func recordAccess(_ what: String, _ session: SessionID, _ more: [JSONValue.Member]) throws(LedgerError) {
        let line = JSONValue.members(
            more + [
                .init("at_ms", .integer(clock.nowMilliseconds())), .init("session_id", .string(session.text)),
                .init("what", .string(what)),
            ]
        ).canonical
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: files.folder)
            let path = files.folder + "/access.jsonl"
            let isNew = try FileStatus.of(path) == nil
            if isNew {
                let made = try FileDescriptor(opening: path, .writeOrCreate, mode: access.fileMode)
                try access.apply(to: made, mode: access.fileMode)
            }
            let file = try FileDescriptor(opening: path, .append)
            try file.write(Array((line + "\n").utf8))
            try file.synchronize()
            if isNew { try FileSystem.synchronizeFolder(files.folder) }
        }
    }
}
