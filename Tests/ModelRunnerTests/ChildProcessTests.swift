import CaptureLedger
import CaptureLedgerRunners
import Foundation
import MediaChecks
import ModelRunners
import ReferenceModels
import TestSupport
import Testing

/// Models in processes of a program in another language, sound and broken ones.
@Suite(.timeLimit(.minutes(3))) struct ChildProcessTests {
    private let input = FloatTensor(shape: [1, 2, 2, 3], values: (0..<12).map { Float($0) })
    private let model = #filePath
    /// Where the program writes the numbers of its processes.
    private let record = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString

    /// A program that breaks in the way that is named.
    private func runner(_ how: String, load: Int64 = 60_000, run: Int64 = 60_000) -> ChildRunner {
        ChildRunner(
            path: "/usr/bin/env", arguments: ["python3", ServerProgram.path(of: "MisbehavingRunner"), how, record],
            loadMilliseconds: load, runMilliseconds: run)
    }

    /// The processes that were started, and of those the ones that are there still.
    private func processes() throws -> (started: [Int32], left: [Int32]) {
        let text = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
        let started = text.split(separator: "\n").compactMap { Int32($0) }
        return (started, started.filter { kill($0, 0) == 0 })
    }

    private func refusal<Value>(_ body: () throws(ModelFault) -> Value) -> ModelFault? {
        do throws(ModelFault) {
            _ = try body()
            return nil
        } catch { return error }
    }

    @Test(arguments: ["pipe", "shared", "shared-shrinks"])
    func `a sound program keeps every promise of a runner, by pipe and by shared memory`(how: String) throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        let broken = RunnerConformance.broken(
            runner(how), model, input: [1, 2, 2, 3], outputs: [[1, 12], [1]], nowhere: "/nowhere.tflite")
        #expect(broken == [])
        let loaded = try runner(how).load(model)
        #expect(try loaded.run(input, outputs: [1, 0]).map(\.values) == [[66], (0..<12).map { Float(2 * $0) }])
        #expect(try processes().left.count == 1)
        withExtendedLifetime(loaded) {}
    }

    @Test(arguments: [
        "exits-at-hello", "crashes-at-hello", "garbage-at-hello", "huge-at-hello", "other-number-at-hello",
        "wrong-kind-at-hello",
        "closes-at-load", "crashes-at-load", "other-version", "vast-shape", "refuses-load",
    ])
    func `a program that breaks while it loads is not_ready, and gone`(how: String) throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        let fault = try #require(refusal { () throws(ModelFault) in try runner(how).load(model) })
        #expect(fault.code == .notReady && !fault.remedy.isEmpty)
        #expect(!fault.message.utf8.contains { $0 < 0x20 }, "nothing that a terminal obeys: \(fault.message)")
        let processes = try processes()
        #expect(processes.started.count == 1 && processes.left.isEmpty)
    }

    @Test(arguments: [
        "exits-at-run", "crashes-at-run", "garbage-at-run", "huge-at-run", "other-number-at-run", "wrong-kind-at-run",
        "closes-at-run",
        "nonsense-refusal", "one-output-less", "few-numbers", "more-behind", "shared-outside",
    ])
    func `a program that breaks while it runs fails that call, is gone, and stays unusable`(how: String) throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        let loaded = try runner(how).load(model)
        #expect(try processes().left.count == 1)
        #expect(refusal { () throws(ModelFault) in try loaded.run(input, outputs: [0, 1]) }?.code == .failed)
        #expect(!loaded.isUsable)
        let processes = try processes()
        #expect(processes.started.count == 1 && processes.left.isEmpty)
        #expect(refusal { () throws(ModelFault) in try loaded.run(input, outputs: [0]) }?.code == .failed)
    }

    @Test func `a program that hangs is killed at its limit`() throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        #expect(refusal { () throws(ModelFault) in try runner("hangs-at-load", load: 1500).load(model) }?.code == .notReady)
        for how in ["hangs-at-run", "short-at-run"] {
            let loaded = try runner(how, run: 300).load(model)
            let fault = try #require(refusal { () throws(ModelFault) in try loaded.run(input, outputs: [0]) })
            #expect(fault.code == .failed && !loaded.isUsable)
        }
        #expect(try processes().left.isEmpty)
    }

    @Test func `a refusal is no break: the same process goes on`() throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        let loaded = try runner("refuses-run").load(model)
        for _ in 0..<2 {
            let fault = try #require(refusal { () throws(ModelFault) in try loaded.run(input, outputs: [0]) })
            #expect(fault.code == .failed && fault.message.contains("not today"))
        }
        #expect(loaded.isUsable)
        #expect(try processes().left.count == 1)
    }

    @Test func `what is no program, or no runner, is not_ready`() {
        for path in ["/nowhere", "/etc/passwd", "/bin/true", "/bin/cat"] {
            #expect(refusal { () throws(ModelFault) in try ChildRunner(path: path).load(model) }?.code == .notReady)
        }
    }

    @Test func `S40 a scope starts a program that broke again at the next call`() throws {
        defer { try? FileManager.default.removeItem(atPath: record) }
        let models = try InstalledModels([.glare], side: 2)
        let runner = ChildProcessRunner(
            program: URL(filePath: "/usr/bin/env"),
            arguments: ["python3", ServerProgram.path(of: "MisbehavingRunner"), "exits-at-run", record])
        let scope = ModelRoom(runners: RunnerRegistry(runner), search: models.search).open()
        for count in 1...2 {
            let fault = try #require(refusal { () throws(ModelFault) in try scope.run(.glare, input, outputs: [0]) })
            #expect(fault.code == .failed && fault.message.contains("status 7"))
            #expect(try processes().started.count == count)
        }
        scope.close()
        #expect(try processes().left.isEmpty)
    }

    @Test func `the example in Python runs the real models and agrees with the library in this process`() throws {
        let path = try #require(ModelSearch().file(.faceDetector))
        let tree = FileManager.default.currentDirectoryPath
        let example = ChildProcessRunner(
            program: URL(filePath: "/usr/bin/env"),
            arguments: ["PYTHONPATH=\(tree)/.runtime/python", "python3", tree + "/docs/ExampleRunner/runner.py"],
            loadLimit: .seconds(60))
        let broken = RunnerConformance.broken(
            example.checkRunner, path, input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]], nowhere: "/nowhere.tflite"
        )
        #expect(broken == [])
        let input = FloatTensor(shape: [1, 128, 128, 3], values: (0..<49_152).map { Float($0 % 251) / 125 - 1 })
        let theirs = try example.checkRunner.load(path).run(input, outputs: [0, 1])
        let ours = try TensorFlowLite().load(path).run(input, outputs: [0, 1])
        for (left, right) in zip(theirs, ours) {
            let difference = zip(left.values, right.values).map { abs($0 - $1) / max(1, abs($1)) }.max() ?? .infinity
            #expect(difference < 1e-3)
        }
    }
}
