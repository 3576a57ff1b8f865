import CaptureLedger
import Foundation
import Testing

@Suite(.serialized) struct ModelTests {
    @Test func `S34 a runner is registered once and loads and runs what it is given`() throws {
        IDCInference.runner = TFLiteRunner()
        defer { IDCInference.runner = nil }
        #expect(LedgerOptions().runner != nil)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".tflite")
        try Data([1]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let model = try #require(IDCInference.runner).loadModel(at: file)
        let tensor = try model.run(Data(repeating: 0, count: 16))
        #expect(tensor.shape == [1, 4] && tensor.data.count == 16)
        #expect(throws: (any Error).self) { try TFLiteRunner().loadModel(at: URL(filePath: "/nowhere.tflite")) }
    }

    @Test func `S35 each model resolves to a file that can be read, or to nothing until one is installed`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        CheckModel.folder = folder
        defer { CheckModel.folder = nil }
        #expect(CheckModel.allCases.allSatisfy { $0.url == nil })
        for model in CheckModel.allCases { try Data([1]).write(to: folder.appending(path: model.fileName)) }
        for model in CheckModel.allCases { #expect(model.url?.lastPathComponent == model.fileName) }
        #expect(Set(CheckModel.allCases.map(\.fileName)).count == 4)
        #expect(CheckModel.selfie.fileName == "selfie_model.tflite")
    }
}
