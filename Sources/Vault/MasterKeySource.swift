/// Where the master key is kept, as the ledger's configuration says it.
package enum MasterKeySource: Sendable, Hashable {
    /// A file of 64 hexadecimal digits and a line feed.
    case file(String)
    /// A systemd credential of this name, in `$CREDENTIALS_DIRECTORY`.
    case credential(String)
    /// A command for `/bin/sh -c` that prints the file's content.
    case command(String)

    /// `credential:NAME`, `command:C`, `file:PATH`, or a path. Nil when nothing is named, or a credential's name is not a plain file name.
    package init?(_ text: String) {
        if text.hasPrefix("credential:") {
            let name = String(text.dropFirst("credential:".count))
            guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return nil }
            self = .credential(name)
        } else if text.hasPrefix("command:") {
            let command = String(text.dropFirst("command:".count))
            guard !command.isEmpty else { return nil }
            self = .command(command)
        } else {
            let path = text.hasPrefix("file:") ? String(text.dropFirst("file:".count)) : text
            guard !path.isEmpty else { return nil }
            self = .file(path)
        }
    }

    package var text: String {
        switch self {
        case .file(let path): path
        case .credential(let name): "credential:\(name)"
        case .command(let command): "command:\(command)"
        }
    }

    /// For an error: a command may hold a secret.
    package var words: String {
        switch self {
        case .file(let path): "the file \(path)"
        case .credential(let name): "the credential \(name)"
        case .command: "the command that the settings name"
        }
    }
}
