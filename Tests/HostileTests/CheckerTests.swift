import SystemCalls
import TestSupport
import Testing

/// Who judges the record is judged itself.
@Suite struct HostileCheckerTests {
    @Test func `the checker notices every kind of double, torn or nameless submission`() throws {
        let done = try ChildProcess.run(
            path: "/bin/sh",
            arguments: ["sh", "-c", "cd \"$0\" && python3 check_tests.py 2>&1", ServerProgram.path(of: "HostileServer")],
            limitMilliseconds: 30_000, outputLimit: 1 << 20)
        #expect(done.end == .exited(0), "\(String(decoding: done.output, as: UTF8.self))")
    }
}
