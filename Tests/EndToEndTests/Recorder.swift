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

    /// Built once from `Tests/Recorder/recorder.c` with the toolchain's compiler.
    private static let library: Result<String, any Error> = Result {
        let target = "\(Workshop.product.parentFolder)/recorder.so"
        try Workshop.shell(
            "clang -shared -fPIC -O1 -o '\(target).$$' '\(Workshop.repository)/Tests/Recorder/recorder.c' && mv '\(target).$$' '\(target)'"
        )
        return target
    }

    static func environment(root: String, file: String) throws -> [String] {
        ["LD_PRELOAD=\(try library.get())", "RECORD_ROOT=\(root)", "RECORD_FILE=\(file)"]
    }

    /// The program dies in front of this call, counted from 1, and its other calls are not written down.
    static func environment(root: String, killBefore call: Int) throws -> [String] {
        ["LD_PRELOAD=\(try library.get())", "RECORD_ROOT=\(root)", "KILL_BEFORE=\(call)"]
    }

    static func calls(in text: String) -> [Call] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t").map(String.init)
            return Call(name: parts[0], path: parts[1], newPath: parts.count > 2 ? parts[2] : nil)
        }
    }
}
