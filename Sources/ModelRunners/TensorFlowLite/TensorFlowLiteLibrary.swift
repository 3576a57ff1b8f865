import CTensorFlowLite
package import MediaChecks
import SystemCalls

/// TensorFlow Lite's C library, loaded into this process for as long as it runs.
@safe package struct TensorFlowLiteLibrary: Sendable {
    nonisolated(unsafe) let calls: UnsafePointer<cl_tflite>
    package let path: String

    /// - Parameter path: of `libtensorflowlite_c.so`; nil: the first of ``places(environment:)`` where there is one.
    /// - Throws: `not_ready`.
    package init(path: String? = nil) throws(ModelFault) {
        let places = path.map { [$0] } ?? Self.places()
        guard let found = places.first(where: { (try? FileStatus.of($0))?.kind == .file }) else {
            throw ModelFault(
                .notReady, message: "TensorFlow Lite's library is not there: \(places.joined(separator: ", "))",
                remedy: "Run make setup in the source tree, or name libtensorflowlite_c.so in CAPTURE_LEDGER_TFLITE.")
        }
        var problem = [CChar](repeating: 0, count: 400)
        guard let calls = unsafe cl_tflite_open(found, &problem, problem.count) else {
            throw ModelFault(
                .notReady, message: "TensorFlow Lite's library cannot be used: \(text(of: problem))",
                remedy: "Install TensorFlow Lite's C library of version 2.17 for this machine; make setup does.")
        }
        unsafe self.calls = calls
        self.path = found
    }

    /// Such as `2.17.1`.
    package var version: String { unsafe String(cString: calls.pointee.version()) }

    /// Where it is looked for: the file that `CAPTURE_LEDGER_TFLITE` names and nowhere else, or in `.runtime/tensorflow-lite` beside the
    /// program, `lib/capture-ledger` above it, and `.runtime/tensorflow-lite` of the source tree that the program was built in.
    package static func places(
        environment: String? = EnvironmentVariable.value(of: "CAPTURE_LEDGER_TFLITE"),
        program: String? = try? FileSystem.ownProgram()
    ) -> [String] {
        if let environment, !environment.isEmpty { return [environment] }
        guard let program else { return [] }
        let beside = FileSystem.parent(of: program)
        let folders =
            [beside + "/.runtime/tensorflow-lite", FileSystem.parent(of: beside) + "/lib/capture-ledger"]
            + FileSystem.sourceTrees(of: program).map { $0 + "/.runtime/tensorflow-lite" }
        return folders.map { $0 + "/libtensorflowlite_c.so" }
    }
}

/// A C string in an array, with nothing in it that a terminal or a log would obey.
func text(of characters: [CChar]) -> String {
    String(
        decoding: characters.prefix { $0 != 0 }.map { $0 >= 0x20 && $0 < 0x7F ? UInt8(bitPattern: $0) : UInt8(ascii: "?") },
        as: UTF8.self)
}
