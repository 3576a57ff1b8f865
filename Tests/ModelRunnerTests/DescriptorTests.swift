import CaptureLedger
import Foundation
import MediaChecks
import ReferenceModels
import TestSupport
import Testing

/// What is said about a model is read strictly, and only of the very file that it was written for.
@Suite struct DescriptorTests {
    private let sound = InstalledModels.descriptor(.passportDetector, side: 320, of: [1])

    private func refusal(_ json: String) -> ModelFault? {
        do throws(ModelFault) {
            _ = try ModelDescriptor(json: Array(json.utf8), named: "x.json")
            return nil
        } catch { return error }
    }

    @Test func `a descriptor is read whole`() throws {
        let descriptor = try ModelDescriptor(json: Array(sound.utf8), named: "x.json")
        #expect(descriptor.role == .passportDetector && descriptor.model == "passport_multi_class_detection.tflite")
        #expect(descriptor.inputWidth == 320 && descriptor.inputHeight == 320 && descriptor.offset == 0)
        #expect(abs(descriptor.scale - 1 / 255) < 1e-12)
        #expect(descriptor.layout == .yolov8 && descriptor.boxesAreNormalized && descriptor.classNames.count == 6)
        #expect(descriptor.licence == "Apache-2.0" && descriptor.digest.count == 64)
    }

    @Test(arguments: [
        (#""width": 320"#, #""width": 0"#, "input.width"), (#""width": 320"#, #""width": 4097"#, "input.width"),
        (#""width": 320"#, #""width": "320""#, "input.width"), (#""height": 320"#, #""height": 3.5"#, "input.height"),
        (#""offset": 0"#, #""offset": "none""#, "input.offset"),
        (#""scale": 0.00392156862745098"#, #""scale": 0"#, "input.scale"),
        (#""offset": 0"#, #""ofset": 0"#, "not known"), ("yolov8", "yolov9", "output.layout"),
        ("yolov8", "mediapipe_face_mesh", "the role passport_detector cannot have"),
        (#""boxes_normalized": true"#, #""boxes_normalized": 1"#, "boxes_normalized"),
        (#", "boxes_normalized": true"#, "", "boxes_normalized"), (#""signature""#, #""page""#, "class_names"),
        (#""signature""#, #"7"#, "class_names"), (#""role": "passport_detector""#, #""role": "detector""#, "role"),
        ("passport_multi", "../passport_multi", "model"), (#""sha256": ""#, #""sha256": "A"#, "sha256"),
        (#""licence": "Apache-2.0""#, #""licence": """#, "licence"), (#"{"model""#, #"[{"model""#, "is no JSON"),
    ])
    func `a slip in a descriptor is bad_descriptor and named`(from: String, to: String, named: String) throws {
        let json = sound.replacing(from, with: to)
        #expect(json != sound, "the case changes nothing")
        let fault = try #require(refusal(json))
        #expect(fault.code == .badDescriptor && fault.message.contains(named) && !fault.remedy.isEmpty, "\(fault.message)")
    }

    @Test func `bytes that are no descriptor are refused, whatever they are`() {
        for json in ["", "[]", "null", "{}", #"{"model": 7}"#, String(repeating: "[", count: 5000)] {
            #expect(refusal(json)?.code == .badDescriptor)
        }
        #expect(throws: ModelFault.self) {
            try ModelDescriptor(json: [UInt8](repeating: 0x20, count: ModelDescriptor.sizeLimit + 1), named: "x.json")
        }
    }

    @Test func `a model is used only with the descriptor that was written for its bytes`() throws {
        let models = try InstalledModels()
        let probe = ProbeRunner()
        let room = ModelRoom(runners: RunnerRegistry(probe), search: models.search)
        let input = FloatTensor(shape: [1, 4, 4, 3], values: [Float](repeating: 0, count: 48))
        func code(_ role: ModelRole) -> ModelFault.Code? {
            let scope = room.open()
            do throws(ModelFault) {
                _ = try scope.run(role, input, outputs: [0])
                return nil
            } catch { return error.code }
        }
        #expect(code(.glare) == nil)
        try models.write(ModelRole.glare.fileName, Array("another model".utf8))
        #expect(code(.glare) == .badDescriptor)
        try FileManager.default.removeItem(atPath: models.folder + "/" + ModelRole.faceMesh.descriptorName)
        #expect(code(.faceMesh) == .badDescriptor)
        try models.write(
            ModelRole.passportBlur.descriptorName, Array(InstalledModels.descriptor(.glare, side: 4, of: [1]).utf8))
        #expect(code(.passportBlur) == .badDescriptor)
        try FileManager.default.removeItem(atPath: models.path(.faceDetector))
        #expect(try models.search.descriptor(.faceDetector) == nil)
        #expect(probe.seen.loads == 1 && probe.seen.releases == 1)
    }
}
