import CaptureLedger
import CaptureLedgerRunners
import Foundation
import MediaChecks
import MediaDecoding
import ReferenceModels
import SessionDomain
import Testing

/// The product's decoder, runner and pipeline beside `Tests/check_pictures.py`, which shares no code with them: Pillow, numpy
/// and another interpreter of the same models.
@Suite(.timeLimit(.minutes(10))) struct IndependentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let pictures = [
        "specimens/front-clean.jpg", "specimens/front-finger-on-mrz.jpg", "specimens/front-glare.jpg",
        "specimens/front-blurred.jpg", "specimens/front-wrong-document.jpg", "specimens/selfie-clean.jpg",
        "specimens/selfie-two-faces.jpg", "specimens/selfie-cat.jpg",
    ]

    struct Box: Decodable {
        let name: String?
        let score: Double
        let corners: [Double]
    }

    struct Result: Decodable {
        let picture: String
        let width, height: Int
        let boxes, faces: [Box]
        let glare, blur: Double?
    }

    @Test func `the same pictures give the same tensors and the same boxes in an independent program`() throws {
        let tensors = FileManager.default.temporaryDirectory.appending(path: "tensors-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: tensors, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: tensors) }
        let results = try Self.results(tensors)
        try #require(results.count == Self.pictures.count)
        let scope = ModelRoom(runners: RunnerRegistry(try TensorFlowLiteRunner())).open()
        defer { scope.close() }
        let decoder = DecoderClient(program: try #require(DecoderProgram.find()))
        let side = try #require(try scope.descriptor(.passportDetector)).inputWidth
        var apart: [Double] = []
        var pixels: [Double] = []
        var scores = 0
        for (name, result) in zip(Self.pictures, results) {
            let isSelfie = name.contains("selfie")
            let source = ByteArraySource([UInt8](try Data(contentsOf: Self.root.appending(path: "Fixtures/" + name))))
            let piece = isSelfie ? Piece.selfie : .passportFront
            let picture = try decoder.picture(source, try MediaSniffer.sniff(source, for: piece, declaredType: nil))
            defer { picture.close() }
            #expect(picture.width == result.width && picture.height == result.height)
            let other = [UInt8](try Data(contentsOf: tensors.appending(path: URL(filePath: name).lastPathComponent + ".rgb")))
            apart.append(Self.distance(try picture.pixels(nil, .letterbox(side: side)).bytes, other))
            #expect(apart.last ?? 255 <= 1, "\(name)")
            let report = try CheckPipeline(models: scope).check(
                picture, CheckQuestion(piece: piece, source: isSelfie ? .camera : .file))
            let scale = Double(isSelfie ? FaceAnchors.inputSide : side) / Double(max(picture.width, picture.height))
            // the mesh keeps only what it takes for a face, too: a cat is none
            let boxes = name.contains("cat") ? [] : isSelfie ? result.faces : result.boxes
            pixels += Self.compare(report.detections, boxes, picture, scale, name)
            scores += Self.compare(report, "glare_score", result.glare, name)
            scores += Self.compare(report, "blur_score", result.blur, name)
        }
        #expect(scores >= 4, "only \(scores) scores of glare and blur were compared")
        try #require(pixels.count >= 16)
        print("tensors: at most \(apart.max() ?? 0) grey levels apart; boxes: at most \(pixels.max() ?? 0) pixels of the input")
    }

    /// - Parameter scale: from pixels of the picture to those that the model was shown.
    /// - Returns: how far apart the corners of each pair of boxes are, in pixels of what the model was shown.
    private static func compare(
        _ found: [Detection], _ other: [Box], _ picture: any OpenPicture, _ scale: Double, _ name: String
    ) -> [Double] {
        #expect(found.count == other.count, "\(name): \(found.map(\.name)) and \(other.map { $0.name ?? "face" })")
        let (width, height) = (Double(picture.width), Double(picture.height))
        return found.map { detection in
            let box = detection.box
            let corners = [box.x * width, box.y * height, (box.x + box.width) * width, (box.y + box.height) * height]
            func apart(_ box: Box) -> Double { scale * zip(corners, box.corners).map { abs($0 - $1) }.reduce(0, max) }
            guard let same = other.filter({ $0.name ?? "face" == detection.name }).min(by: { apart($0) < apart($1) }) else {
                Issue.record("\(name): no \(detection.name) was found by the other program")
                return 0
            }
            #expect(apart(same) <= 1, "\(name): \(detection.name)")
            #expect(abs(same.score - detection.score) < 0.03, "\(name): \(detection.name)")
            return apart(same)
        }
    }

    /// - Returns: how many values were compared. The product does not ask for a blur behind a glare; the other program always does.
    private static func compare(_ report: CheckReport, _ metric: String, _ other: Double?, _ name: String) -> Int {
        guard let value = report.finding(metric)?.value else { return 0 }
        guard let other else {
            Issue.record("\(name): the other program has no \(metric)")
            return 0
        }
        #expect(abs(value - other) < 0.05, "\(name): \(metric) is \(value) and \(other)")
        return 1
    }

    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Double {
        guard left.count == right.count else { return 255 }
        var sum = 0
        for index in left.indices { sum += abs(Int(left[index]) - Int(right[index])) }
        return Double(sum) / Double(left.count)
    }

    private static func results(_ tensors: URL) throws -> [Result] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", root.appending(path: "Tests/check_pictures.py").path, "--models"]
            + [ReferenceModels.sourceFolder, ReferenceModels.runtimeFolder].map { root.appending(path: $0).path }
            + ["--tensors", tensors.path, "--"] + pictures.map { root.appending(path: "Fixtures/" + $0).path }
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PYTHONPATH": root.appending(path: ".runtime/python").path], uniquingKeysWith: { $1 })
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "check_pictures.py ended with \(process.terminationStatus)")
        return try output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Result.self, from: Data($0)) }
    }
}
