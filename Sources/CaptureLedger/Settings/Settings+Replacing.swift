import SessionDomain
import SystemCalls
import Vault

extension Settings {
    /// The settings' text with one setting of the outermost object given another value; what else stands there stays as it is.
    static func replacing(_ key: String, with value: String, in text: String) -> String {
        let line = "  \(key): \(JSONValue.string(value).canonical),"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let index = lines.firstIndex(where: { isSetting(key, $0) }) {
            lines[index] = line
        } else if let index = lines.firstIndex(where: { $0.hasPrefix("{") }) {
            let rest = lines[index].dropFirst()
            lines[index] = "{"
            lines.insert(contentsOf: [line, String(rest)], at: index + 1)
        }
        return lines.joined(separator: "\n")
    }

    /// The settings' text without one setting of the outermost object that stands on a line of its own.
    static func removing(_ key: String, from text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !isSetting(key, $0) }.joined(separator: "\n")
    }

    private static func isSetting(_ key: String, _ line: some StringProtocol) -> Bool {
        let bare = line.drop { $0 == " " || $0 == "\t" }
        return [key, "\"\(key)\"", "'\(key)'"].contains { bare.hasPrefix($0 + ":") }
    }
}

extension MasterKeyReference {
    /// As it is written down: a file is found wherever a later process stands.
    var absolute: MasterKeyReference {
        if case .file(let path) = self { .file(FileSystem.absolute(path)) } else { self }
    }
}
