import SessionDomain

/// Which calls of a session returned, kept beside the events since a call is none: `followers/callbacks/ab/<session>`, one line with the
/// positions of what was told.
enum CallbackRecord {
    /// A record that cannot be read counts as none: a call is rather made twice than never.
    static func read(_ session: SessionID, _ files: LedgerFiles) -> Milestones {
        guard let line = try? file(session, files).read() else { return Milestones() }
        let numbers = line.split(whereSeparator: \.isWhitespace).dropFirst().map { Int64($0) }
        guard line.hasPrefix("1 "), numbers.count == 3, let nothingLeft = numbers[numbers.startIndex],
            let completed = numbers[numbers.startIndex + 1], let exited = numbers[numbers.startIndex + 2]
        else { return Milestones() }
        return Milestones(nothingLeft: nothingLeft, completed: completed, exited: exited)
    }

    static func write(_ told: Milestones, _ session: SessionID, _ files: LedgerFiles) throws(LedgerError) {
        try file(session, files).write("1 \(told.nothingLeft) \(told.completed) \(told.exited)", in: files)
    }

    private static func file(_ session: SessionID, _ files: LedgerFiles) -> SmallFile {
        SmallFile(folder: files.followers + "/callbacks/" + session.text.suffix(2), name: session.text)
    }
}
