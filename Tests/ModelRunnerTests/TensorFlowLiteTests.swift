import Foundation
import MediaChecks
import ModelRunners
import ReferenceModels
import TestSupport
import Testing

/// The real library with real models; `make setup` installs both.
@Suite(.timeLimit(.minutes(2))) struct TensorFlowLiteTests {
    private let runner: TensorFlowLite
    private let faces: String

    init() throws {
        runner = try TensorFlowLite()
        faces = try #require(
            ReferenceModels.find("face_detection_short_range.tflite", in: ReferenceModels.folders(environment: nil)))
    }

    private func noise(_ shape: [Int], seed: UInt64 = 1) -> FloatTensor {
        var random = SeededRandom(seed: seed)
        return FloatTensor(shape: shape, values: (0..<shape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) })
    }

    private func code(_ body: () throws(ModelFault) -> Void) -> ModelFault.Code? {
        do throws(ModelFault) {
            try body()
            return nil
        } catch { return error.code }
    }

    @Test func `S34 the adapter keeps every promise of a runner`() throws {
        #expect(runner.library.version.hasPrefix("2.17."))
        let broken = RunnerConformance.broken(
            runner, faces, input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]], nowhere: "/nowhere.tflite")
        #expect(broken == [])
    }

    @Test func `the mesh loads and answers too`() throws {
        let mesh = try #require(ReferenceModels.find("face_landmark.tflite", in: ReferenceModels.folders(environment: nil)))
        let results = try runner.load(mesh).run(noise([1, 192, 192, 3]), outputs: [0, 1])
        #expect(results.map(\.values.count) == [1404, 1])
    }

    @Test func `the same input gives the same bits, again and whatever the number of threads`() throws {
        let input = noise([1, 128, 128, 3])
        let model = try runner.load(faces)
        let first = try model.run(input, outputs: [0, 1])
        _ = try model.run(noise([1, 128, 128, 3], seed: 2), outputs: [1])
        #expect(try model.run(input, outputs: [0, 1]) == first)
        #expect(try TensorFlowLite(threads: 2).load(faces).run(input, outputs: [0, 1]) == first)
        #expect(first[0].values.contains { $0 != 0 } && first[0].values.allSatisfy(\.isFinite))
    }

    @Test func `S36 a model takes four bytes for each number of its input, and says so`() throws {
        let model = try runner.load(faces)
        for shape in [[1, 128, 128], [1, 128, 128, 4], [1, 192, 192, 3], [2, 128, 128, 3], [0], []] {
            #expect(
                code { () throws(ModelFault) in
                    _ = try model.run(
                        FloatTensor(shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *))), outputs: [0])
                } == .wrongShape)
        }
        for number in [-1, 2, Int.max] {
            #expect(
                code { () throws(ModelFault) in _ = try model.run(noise([1, 128, 128, 3]), outputs: [number]) } == .wrongShape)
        }
    }

    @Test func `damaged models are refused or run, and nothing crashes`() throws {
        // always the same ones: what kills a native library kills the whole run, and should not do so by chance
        var random = SeededRandom(seed: 20_261_130)
        let sound = try [UInt8](Data(contentsOf: URL(filePath: faces)))
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".tflite")
        defer { try? FileManager.default.removeItem(at: file) }
        var refused = 0
        for number in 0..<60 {
            var bytes = sound
            switch number % 3 {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 1:
                // the structure, which lies at both ends, rather than the weights
                for _ in 0..<8 {
                    let span = Bool.random(using: &random) ? 0..<4096 : bytes.count - 60_000..<bytes.count
                    bytes[Int.random(in: span, using: &random)] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                }
            default:
                let start = Int.random(in: 0..<bytes.count - 64, using: &random)
                for index in start..<start + 64 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            }
            try Data(bytes).write(to: file)
            let failure = code { () throws(ModelFault) in
                _ = try runner.load(file.path).run(noise([1, 128, 128, 3]), outputs: [0])
            }
            if failure != nil { refused += 1 }
        }
        #expect(refused >= 20, "at least what is cut off is refused")
    }

    @Test func `what is no model is refused with a remedy`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let file = folder + "/" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }
        for bytes in [[], [0], Array("TFL3".utf8), [UInt8](repeating: 0xFF, count: 100_000)] {
            try Data(bytes).write(to: URL(filePath: file))
            #expect(code { () throws(ModelFault) in _ = try runner.load(file) } == .notReady)
        }
        #expect(code { () throws(ModelFault) in _ = try runner.load(folder) } == .notReady)
    }

    @Test func `a library that is missing, damaged or another one is not_ready with a remedy`() throws {
        let file = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString + ".so"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("not a library".utf8).write(to: URL(filePath: file))
        let libc = try #require(
            ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"].first {
                FileManager.default.fileExists(atPath: $0)
            })
        for (path, words) in [
            ("/nowhere.so", "is not there"), (file, "cannot be used"), (libc, "TfLite"), ("/tmp", "is not there"),
        ] {
            #expect { _ = try TensorFlowLite(library: path) } throws: {
                guard let fault = $0 as? ModelFault else { return false }
                return fault.code == .notReady && fault.message.contains(words) && !fault.remedy.isEmpty
            }
        }
    }

    @Test func `the library is looked for where the environment says and nowhere else, or around the program`() {
        #expect(TensorFlowLiteLibrary.places(environment: "/opt/x.so", program: "/usr/bin/kiosk") == ["/opt/x.so"])
        #expect(
            TensorFlowLiteLibrary.places(environment: nil, program: "/usr/bin/kiosk") == [
                "/usr/bin/.runtime/tensorflow-lite/libtensorflowlite_c.so", "/usr/lib/capture-ledger/libtensorflowlite_c.so",
            ])
        #expect(TensorFlowLiteLibrary.places(environment: "", program: nil) == [])
    }
}
