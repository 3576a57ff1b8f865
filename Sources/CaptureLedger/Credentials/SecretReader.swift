import SystemCalls

/// Fetches secrets from where the settings say they are. What it throws never holds anything of what it found.
package struct SecretReader: Sendable {
    /// A command's end, and how much it may print.
    package static let commandLimitMilliseconds: Int64 = 10_000
    private static let limit = 16 << 10

    private let folder: String

    /// - Parameter folder: of the ledger; relative paths begin there.
    package init(ledger folder: String) { self.folder = folder }

    package func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + "/" + text }

    /// Where the secret lies as a file; nil for a command's, and for a credential where systemd gave none.
    package func file(of source: SecretSource) -> String? {
        switch source {
        case .file(let path): self.path(path)
        case .credential(let name): EnvironmentVariable.value(of: "CREDENTIALS_DIRECTORY").map { $0 + "/" + name }
        case .command: nil
        }
    }

    /// One line of visible ASCII, such as a token; what ends the line is taken off.
    ///
    /// - Parameters:
    ///   - place: the setting, for the error.
    ///   - isOver: asked several times a second while a command runs; it is not waited for any longer once that is so.
    /// - Throws: `credential_unreadable`.
    package func line(
        _ source: SecretSource, at place: String, isOver: () -> Bool = { false }
    ) throws(SettingsProblem) -> String {
        let bytes = try bytes(source, at: place, isOver: isOver)
        let line = bytes[..<(bytes.lastIndex { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 } ?? -1).advanced(by: 1)]
        guard !line.isEmpty, line.count <= Self.limit, line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "What \(place) names is not one line of visible ASCII.",
                remedy: "Let it be the secret alone, without quotes or spaces.")
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// - Throws: `credential_unreadable`.
    package func bytes(
        _ source: SecretSource, at place: String, isOver: () -> Bool = { false }
    ) throws(SettingsProblem) -> [UInt8] {
        if case .command(let command) = source { return try run(command, place, isOver) }
        guard let file = file(of: source) else {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "The credential that \(place) names was not given to this process.",
                remedy: "Add it to the systemd unit with LoadCredential=.")
        }
        do throws(SystemError) {
            return try FileDescriptor(readingFile: file).readToEnd(limit: Self.limit)
        } catch {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "The file that \(place) names cannot be read.",
                remedy: "Check the path and its permissions: \(error.code.rawValue).")
        }
    }

    /// The environment holds what finding programs takes and nothing of ours, and what the command writes to its standard error
    /// is thrown away: it may quote the secret.
    private func run(_ command: String, _ place: String, _ isOver: () -> Bool) throws(SettingsProblem) -> [UInt8] {
        var environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C"]
        for name in ["HOME", "CREDENTIALS_DIRECTORY", "XDG_RUNTIME_DIR"] {
            if let value = EnvironmentVariable.value(of: name) { environment.append("\(name)=\(value)") }
        }
        let problem: String
        do throws(SystemError) {
            let result = try ChildProcess.run(
                path: "/bin/sh", arguments: ["sh", "-c", "exec 2>/dev/null\n" + command], environment: environment,
                limitMilliseconds: Self.commandLimitMilliseconds, outputLimit: Self.limit, isOver: isOver)
            switch result.end {
            case .exited(0): return result.output
            case .exited(let code): problem = "ended with \(code)"
            case .signalled(let signal): problem = "was ended by signal \(signal)"
            }
        } catch {
            switch error.code {
            case .timedOut: problem = "ran longer than \(Self.commandLimitMilliseconds / 1000) s"
            case .outputTooLarge: problem = "printed more than \(Self.limit) bytes"
            default: problem = "cannot be run"
            }
        }
        throw SettingsProblem(
            .credentialUnreadable, at: place, "The command in \(place) \(problem).",
            remedy: "Run it by hand as the same user; it must print the secret and end with 0.")
    }
}
