import SystemCalls
import Testing

@testable import CaptureLedger

/// `Tests/oracle.py`, which shares no code with the product.
enum Oracle {
    static var folder: String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    }

    /// False where Python lacks the `cryptography` package, without which it cannot open what is sealed.
    static let isThere: Bool = {
        let probe = try? ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", "import cryptography"], limitMilliseconds: 30_000,
            outputLimit: 1 << 16)
        return probe?.end == .exited(0)
    }()

    /// Asks it about a ledger that nobody writes to.
    static func findsNothingWrong(_ ledger: String, erased: [String] = [], sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        guard isThere else {
            print("oracle skipped: python3 has no `cryptography`")
            return
        }
        let judged = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: ["env", "python3", folder + "/oracle.py", ledger, "--expect-erased"] + erased,
            limitMilliseconds: 120_000, outputLimit: 1 << 20)
        #expect(
            judged.end == .exited(0), "\(String(decoding: judged.output, as: UTF8.self))", sourceLocation: sourceLocation)
    }
}
