import MediaChecks
import TestSupport
import Testing

@Suite struct FaceDecodingTests {
    @Test func `the anchors are two a cell of stride 8, then six a cell of stride 16`() {
        let centres = FaceAnchors.centres
        #expect(centres.count == 896)
        #expect(centres[0] == Point(x: 0.5 / 16, y: 0.5 / 16) && centres[1] == centres[0])
        #expect(centres[2] == Point(x: 1.5 / 16, y: 0.5 / 16) && centres[511] == Point(x: 15.5 / 16, y: 15.5 / 16))
        #expect(centres[512] == Point(x: 0.5 / 8, y: 0.5 / 8) && centres[517] == centres[512])
        #expect(centres[895] == Point(x: 7.5 / 8, y: 7.5 / 8))
    }

    @Test func `a face is centre and size relative to its anchor, with eyes`() throws {
        let output = FaceSamples.detectorOutput([SelfieScript.Seen(x: 0.25, y: 0.5, side: 0.25, score: 0.8)])
        for outputs in [output, output.reversed()] {
            let face = try #require(try FaceDetectorOutput(outputs).candidates(atLeast: 0.5).first)
            #expect(abs(face.score - 0.8) < 1e-5 && abs(face.box.x0 - 32) < 1e-3 && abs(face.box.y1 - 96) < 1e-3)
            #expect(abs(face.rightEye.x - (48 - 6.4)) < 1e-3 && abs(face.leftEye.x - (48 + 6.4)) < 1e-3)
        }
        #expect(try FaceDetectorOutput(output).candidates(atLeast: 0.81).isEmpty)
    }

    @Test func `a sigmoid is clipped, so that no logit leaves the numbers`() {
        #expect(FaceDetectorOutput.sigmoid(0) == 0.5 && FaceDetectorOutput.sigmoid(1e30) == 1)
        #expect(FaceDetectorOutput.sigmoid(-1e30) > 0 && FaceDetectorOutput.sigmoid(-1e30) < 1e-40)
    }

    @Test(arguments: [[896 * 16], [896 * 16, 895], [896, 896], []]) func `other outputs are a typed error`(counts: [Int]) {
        let outputs = counts.map { FloatTensor(shape: [$0], values: [Float](repeating: 0, count: $0)) }
        #expect(#expect(throws: ModelFault.self) { try FaceDetectorOutput(outputs) }?.code == .wrongShape)
    }

    @Test func `random numbers never crash and give faces that are somewhere`() throws {
        for seed in SeededRandom.seeds(for: "random face outputs") {
            var random = SeededRandom(seed: seed)
            for _ in 0..<4 {
                func numbers(_ count: Int) -> [Float] {
                    (0..<count).map { _ in
                        random.one(in: 20)
                            ? [.nan, .infinity, -.infinity, 1e38, -1e38].randomElement(using: &random) ?? 0
                            : Float.random(in: -200...200, using: &random)
                    }
                }
                let outputs = [
                    FloatTensor(shape: [1, 896, 16], values: numbers(896 * 16)),
                    FloatTensor(shape: [1, 896, 1], values: numbers(896)),
                ]
                for face in try FaceDetectorOutput(outputs).candidates(atLeast: 0.5) {
                    #expect(
                        face.score >= 0.5 && face.score <= 1 && face.box.area > 0 && face.rightEye.isFinite
                            && face.leftEye.isFinite)
                }
            }
        }
    }

    @Test func `a mesh of numbers that are none is no face`() throws {
        for number in [Float.nan, .infinity] {
            let script = SelfieScript()
            var landmarks = FaceSamples.meshOutput(presence: 1)
            landmarks[0].values[3 * 200] = number
            let answer = landmarks
            script.models.install(.faceMesh, .scripted(.faceMesh, side: 192, [])) { _ in answer }
            #expect(try script.check().failure == .notASelfie)
        }
    }
}
