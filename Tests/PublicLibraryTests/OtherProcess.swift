import Foundation
import Synchronization

/// The built command, as cron or another host's process would run it.
struct OtherProcess {
    static let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "capture-ledger")

    /// Runs a verb to its end.
    @discardableResult
    static func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> (
        status: Int32, output: String
    ) {
        let process = Process()
        process.executableURL = command
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        return (status, String(decoding: output.fileHandleForReading.availableData, as: UTF8.self))
    }
}

/// `capture-ledger sandbox`, until it is stopped.
final class RunningSandbox {
    let environment: [String: String]
    private let process = Process()

    init() throws {
        process.executableURL = OtherProcess.command
        process.arguments = ["--json", "sandbox", "--port", "0"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while !line.contains(0x0A) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Unexpected("the sandbox does not serve") }
            line += more
        }
        let addresses = try JSONDecoder().decode([String: String].self, from: line.prefix { $0 != 0x0A })
        guard let verifier = addresses["verifier_url"], let hologram = addresses["hologram_url"] else {
            throw Unexpected("the sandbox names no addresses")
        }
        environment = ["CAPTURE_LEDGER_VERIFIER_URL": verifier, "CAPTURE_LEDGER_HOLOGRAM_URL": hologram]
    }

    deinit { process.terminate() }
}
