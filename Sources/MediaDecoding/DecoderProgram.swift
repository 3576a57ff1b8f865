import SystemCalls

/// Where the decoder's program is.
package struct DecoderProgram: Sendable, Hashable {
    package static let name = "capture-ledger-decoder"
    package static let variable = "CAPTURE_LEDGER_DECODER"

    package let path: String

    package init(path: String) { self.path = path }

    /// The first of: the path that was asked for, the environment's `CAPTURE_LEDGER_DECODER`, the folder of the running program, the
    /// folders of `PATH`. A path that was named and is no program ends the search: another decoder than the one that was asked for
    /// is not used in silence.
    package static func find(option: String? = nil) -> DecoderProgram? {
        if let named = option ?? EnvironmentVariable.value(of: variable), !named.isEmpty {
            return Executable.isOne(named) ? DecoderProgram(path: named) : nil
        }
        var folders: [String] = []
        if let program = Executable.running, let slash = program.lastIndex(of: "/") {
            folders.append(String(program[..<slash]))
        }
        for folder in (EnvironmentVariable.value(of: "PATH") ?? "").split(separator: ":") where folder.hasPrefix("/") {
            folders.append(String(folder))
        }
        return folders.lazy.map { "\($0)/\(name)" }.first(where: Executable.isOne).map(DecoderProgram.init(path:))
    }
}
