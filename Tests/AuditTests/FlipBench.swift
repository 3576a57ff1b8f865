import Audit
import Dispatch
import EventStorage
import Foundation
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Vault

/// Puts bytes of one file of a ledger wrong, one alone at a time, and asks the verifier what it says: on as many copies of the ledger
/// as there are processors.
final class FlipBench {
    /// One byte and what it was made.
    struct Flip: Sendable {
        let offset: Int
        let value: UInt8
    }

    /// What became of them.
    struct Outcome: Sendable {
        var flips = 0
        /// By the code of the first problem, or of the error that was thrown.
        var named: [String: Int] = [:]
        var harmless: [Flip] = []

        var namedCount: Int { named.values.reduce(0, +) }

        mutating func add(_ other: Outcome) {
            flips += other.flips
            named.merge(other.named, uniquingKeysWith: +)
            harmless += other.harmless
        }
    }

    /// Verifies the ledger in a folder of its own.
    typealias Verifier = () throws -> VerificationReport

    static let masterKey = MasterKey([UInt8](repeating: 7, count: 32))!
    private let folders: [String]
    private let name: String
    let image: [UInt8]
    /// The file that is put wrong, as it is in every copy.
    var path: String { folders[0] + "/" + name }

    /// - Parameter name: of the file, in the ledger's folder.
    init(_ ledger: SmallLedger, file name: String, pageBytes: Int? = nil) throws {
        self.name = name
        folders = (0..<ProcessInfo.processInfo.activeProcessorCount).map { "\(ledger.folder)-\($0)" }
        for folder in folders { try ledger.copy(to: folder, pageBytes: pageBytes) }
        image = [UInt8](try Data(contentsOf: URL(filePath: folders[0] + "/" + name)))
        for folder in folders.dropFirst() {
            #expect([UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name))) == image, "the copies differ")
        }
    }

    deinit { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }

    /// - Parameter values: what the byte at an offset is made, one after the other.
    /// - Parameter makeVerifier: for the ledger in a folder; called once a copy.
    func run(
        _ offsets: [Int], values: @Sendable (Int) -> [UInt8], makeVerifier: @Sendable (_ folder: String) throws -> Verifier
    ) throws -> Outcome {
        let results = Mutex<[Result<Outcome, any Error>]>([])
        let (folders, name, image) = (folders, name, image)
        DispatchQueue.concurrentPerform(iterations: folders.count) { index in
            let share = stride(from: index, to: offsets.count, by: folders.count).map { offsets[$0] }
            let result = Result {
                try Self.flip(
                    folders[index] + "/" + name, image, share, values: values, verify: makeVerifier(folders[index]))
            }
            results.withLock { $0.append(result) }
        }
        return try results.withLock { try $0.reduce(into: Outcome()) { $0.add(try $1.get()) } }
    }

    private static func flip(
        _ path: String, _ image: [UInt8], _ offsets: [Int], values: (Int) -> [UInt8], verify: Verifier
    ) throws -> Outcome {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        func write(_ byte: UInt8, at offset: Int) throws {
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: [byte])
        }
        var outcome = Outcome()
        for offset in offsets {
            for value in values(offset) {
                #expect(value != image[offset])
                try write(value, at: offset)
                outcome.flips += 1
                if let code = code(verify) {
                    outcome.named[code, default: 0] += 1
                } else {
                    outcome.harmless.append(Flip(offset: offset, value: value))
                }
            }
            try write(image[offset], at: offset)
        }
        #expect(code(verify) == nil, "the ledger itself is not sound")
        return outcome
    }

    /// nil where it is sound.
    private static func code(_ verify: Verifier) -> String? {
        do { return try verify().problems.first?.code.rawValue } catch let error as StorageError {
            return error.code.rawValue
        } catch let error as VaultError {
            return error.code.rawValue
        } catch {
            Issue.record("\(error) is no error of the verifier's")
            return nil
        }
    }

    /// What `Tests/oracle_pages.py` says of flips that nobody named.
    struct Judgement {
        /// After these something that is promised read otherwise.
        let changed: [Int]
        /// These lie in rows, not beside them.
        let inside: [Int]
        let kinds: String
        let details: String
    }

    func judge(_ harmless: [Flip], _ what: String) throws -> Judgement {
        let list = folders[0] + "/flips"
        try harmless.map { "\($0.offset) \($0.value)\n" }.joined().write(toFile: list, atomically: false, encoding: .utf8)
        let said = try JSONValue.parse(Array(Self.output(["judge", path, list, what]).utf8.filter { $0 != 0x0A }))
        func offsets(_ key: String) -> [Int] { said[key]?.asArray?.compactMap(\.asInt) ?? [-1] }
        return Judgement(
            changed: offsets("changed"), inside: offsets("inside"),
            kinds: said["kinds"]?.canonical ?? "",
            details: said["details"]?.asArray?.compactMap(\.asString).joined(separator: "\n") ?? "")
    }

    /// Numbers of the pages of a table, its overflow pages among them.
    func pages(of table: String) throws -> [String: [Int]] {
        let output = try Self.output(["map", path, table])
        var pages: [String: [Int]] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { throw ServerProgram.Broken(reason: output) }
            pages[String(parts[1]), default: []].append(number)
        }
        return pages
    }

    private static let oracle =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        + "/oracle_pages.py"

    private static func output(_ arguments: [String]) throws -> String {
        let said = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", oracle] + arguments,
            limitMilliseconds: 3_600_000, outputLimit: 16 << 20)
        let text = String(decoding: said.output, as: UTF8.self)
        guard said.end == .exited(0) else { throw ServerProgram.Broken(reason: text) }
        return text
    }
}
