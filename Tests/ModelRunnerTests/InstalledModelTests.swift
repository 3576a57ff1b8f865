import CaptureLedger
import CaptureLedgerRunners
import Foundation
import MediaChecks
import ReferenceModels
import TestSupport
import Testing

/// The models that come with the project or with `make setup`, where they lie.
@Suite(.timeLimit(.minutes(2))) struct InstalledModelTests {
    private var folders: [String] { ReferenceModels.folders(environment: nil) }

    @Test func `S35 models are looked for where a caller or the environment says and nowhere else, or around the program`() {
        #expect(ReferenceModels.folders("/given", environment: "/named") == ["/given"])
        #expect(ReferenceModels.folders(environment: "/named", program: "/usr/bin/kiosk") == ["/named"])
        #expect(
            ReferenceModels.folders(environment: nil, program: "/opt/kiosk/bin/kiosk") == [
                "/opt/kiosk/bin/models", "/opt/kiosk/share/capture-ledger/models",
            ])
        #expect(ReferenceModels.folders(environment: "", program: nil) == [])
        #expect(folders.contains { $0.hasSuffix("/Sources/ReferenceModels/Resources") }, "the source tree of this program")
    }

    @Test func `S35 a file that cannot be read is no model`() throws {
        let models = try InstalledModels([.glare])
        #expect(models.search.file(.glare) == models.path(.glare))
        try FileManager.default.removeItem(atPath: models.path(.glare))
        #expect(models.search.file(.glare) == nil)
        try FileManager.default.createDirectory(atPath: models.path(.glare), withIntermediateDirectories: false)
        #expect(models.search.file(.glare) == nil)
    }

    @Test(arguments: ModelRole.allCases.filter { $0 != .selfieClassifier })
    func `each installed model fits its descriptor and runs`(role: ModelRole) throws {
        let room = ModelRoom(runners: RunnerRegistry(try TensorFlowLiteRunner()))
        let scope = room.open()
        let descriptor = try #require(try scope.descriptor(role), "\(role.fileName) is not installed: make setup")
        let shape = [1, descriptor.inputHeight, descriptor.inputWidth, 3]
        let input = FloatTensor(shape: shape, values: [Float](repeating: 0.5, count: shape.reduce(1, *)))
        let outputs = try scope.run(
            role, input, outputs: descriptor.layout == .yolov8 || descriptor.layout == .scores ? [0] : [0, 1])
        #expect(try scope.run(role, input, outputs: [0]).first == outputs.first, "twice the same")
        #expect(outputs.allSatisfy { $0.values.allSatisfy(\.isFinite) })
        let sides = Set(outputs[0].shape)
        switch descriptor.layout {
        case .yolov8: #expect(sides.contains(4 + descriptor.classNames.count) && outputs[0].shape.count == 3)
        case .scores: #expect(outputs[0].values.count == descriptor.classNames.count)
        case .faceDetection: #expect(outputs.map(\.shape) == [[1, 896, 16], [1, 896, 1]])
        case .faceMesh: #expect(outputs.map(\.values.count) == [1404, 1])
        }
    }

    @Test func `a host calls our runner by bytes and gets the same numbers as the checks`() throws {
        let runner = try TensorFlowLiteRunner()
        #expect(runner.version.hasPrefix("2."))
        let path = try #require(ModelSearch().file(.faceDetector))
        let model = try runner.loadModel(at: URL(filePath: path))
        let input = FloatTensor(shape: [1, 128, 128, 3], values: (0..<49_152).map { Float($0 % 200) / 200 })
        let results = try model.run(Data(input), outputs: [1, 0])
        #expect(results.map(\.shape) == [[1, 896, 1], [1, 896, 16]])
        let scope = ModelRoom(runners: RunnerRegistry(runner)).open()
        #expect(try scope.run(.faceDetector, input, outputs: [1, 0]) == results.map { try FloatTensor($0) })
        #expect(try model.run(Data(input)) == results[1])
        #expect { _ = try model.run(Data(count: 16)) } throws: { ($0 as? LedgerError)?.code.rawValue == "wrong_shape" }
        #expect { _ = try runner.loadModel(at: URL(filePath: "/nowhere.tflite")) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "not_ready"
        }
        #expect { _ = try TensorFlowLiteRunner(library: URL(filePath: "/nowhere.so")) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "not_ready"
        }
    }

    @Test func `the runner that a host scripts keeps the promises of a runner too`() throws {
        let models = try InstalledModels([.glare])
        let probe = ProbeRunner(
            load: { name in if name == "nowhere.tflite" { throw CancellationError() } },
            run: { _, input, outputs in
                guard input.count == 192 else {
                    throw LedgerError(ModelFault(.wrongShape, message: "192 bytes", remedy: "give them"))
                }
                return try outputs.map { number in
                    guard number == 0 || number == 1 else { throw CancellationError() }
                    return Tensor(data: input.prefix(number == 0 ? 96 : 16), shape: number == 0 ? [1, 24] : [4])
                }
            })
        let broken = RunnerConformance.broken(
            Inference.checkRunner(probe), models.path(.glare), input: [1, 4, 4, 3], outputs: [[1, 24], [4]],
            nowhere: "/nowhere.tflite")
        #expect(broken == [])
        #expect(probe.seen.loads == 2 && probe.seen.releases == 2)
    }

    @Test func `a host's model that gives output 0 alone says so when another one is asked for`() throws {
        final class Single: LoadedModel {
            func run(_ input: Data) throws -> Tensor { Tensor(data: Data(count: 4), shape: [1]) }
        }
        #expect(try Single().run(Data(), outputs: [0, 0]).count == 2)
        #expect { _ = try Single().run(Data(), outputs: [0, 1]) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "wrong_shape"
        }
    }
}
