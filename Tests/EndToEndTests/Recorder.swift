import SystemCalls
import Testing

/// The library that writes down the calls which decide what survives a crash, or kills the program in front of one of them.
enum Recorder {
    struct Call: Equatable {
        let name: String
        let path: String
        /// Of a rename.
        let newPath: String?
    }

    static func environment(_ workshop: Workshop, root: String, file: String) throws -> [String] {
        ["LD_PRELOAD=\(try library(workshop))", "RECORD_ROOT=\(root)", "RECORD_FILE=\(file)"]
    }

    /// The program dies in front of this call, counted from 1, and its other calls are not written down.
    static func environment(_ workshop: Workshop, root: String, killBefore call: Int) throws -> [String] {
        ["LD_PRELOAD=\(try library(workshop))", "RECORD_ROOT=\(root)", "KILL_BEFORE=\(call)"]
    }

    /// Built from `Tests/Recorder/recorder.c` with the toolchain's compiler, in the workshop: its path has no space, which would
    /// end the name of a library to preload.
    private static func library(_ workshop: Workshop) throws -> String {
        let target = workshop.path + "/recorder.so"
        try Workshop.shell(
            "test -f '\(target)' || clang -shared -fPIC -O1 -o '\(target)' '\(Workshop.repository)/Tests/Recorder/recorder.c'")
        try #require(FileStatus.of(target) != nil, "the recorder was not built")
        return target
    }

    static func calls(in text: String) -> [Call] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t").map(String.init)
            return Call(name: parts[0], path: parts[1], newPath: parts.count > 2 ? parts[2] : nil)
        }
    }
}
