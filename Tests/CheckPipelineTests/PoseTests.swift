import Glibc
import MediaChecks
import TestSupport
import Testing

@Suite struct PoseTests {
    /// A frontal face turned about the axes, in degrees: first pitch, then yaw, then roll.
    private func mesh(yaw: Double, pitch: Double, roll: Double, scale: Double = 100) -> FaceMesh {
        var landmarks = [Point](repeating: Point(x: 0, y: 0), count: FaceMesh.Landmark.count)
        let places: [Int: Point] = [
            33: Point(x: -1, y: -0.5), 133: Point(x: -0.4, y: -0.5), 362: Point(x: 0.4, y: -0.5), 263: Point(x: 1, y: -0.5),
            10: Point(x: 0, y: -1.5), 152: Point(x: 0, y: 1.5),
        ]
        let (a, b, c) = (pitch * .pi / 180, yaw * .pi / 180, roll * .pi / 180)
        for (index, place) in places {
            // chin towards the camera
            var p = Point(x: place.x, y: place.y * cos(a) + place.z * sin(a), z: place.z * cos(a) - place.y * sin(a))
            // right edge away from the camera
            p = Point(x: p.x * cos(b) - p.z * sin(b), y: p.y, z: p.z * cos(b) + p.x * sin(b))
            p = Point(x: p.x * cos(c) - p.y * sin(c), y: p.x * sin(c) + p.y * cos(c), z: p.z)
            landmarks[index] = Point(x: 300 + scale * p.x, y: 200 + scale * p.y, z: scale * p.z)
        }
        return FaceMesh(presence: 1, landmarks: landmarks)
    }

    @Test func `K9 each turn of a face is found in degrees with its sign`() throws {
        for (yaw, pitch, roll) in [(0.0, 0.0, 0.0), (25, 0, 0), (-25, 0, 0), (0, 20, 0), (0, -20, 0), (0, 0, 30), (0, 0, -30)] {
            let pose = try #require(HeadPose(mesh(yaw: yaw, pitch: pitch, roll: roll)))
            #expect(abs(pose.yaw - yaw) < 1e-9 && abs(pose.pitch - pitch) < 1e-9 && abs(pose.roll - roll) < 1e-9)
        }
    }

    @Test func `pose does not depend on size`() throws {
        let small = try #require(HeadPose(mesh(yaw: 12, pitch: 7, roll: -4, scale: 3)))
        let large = try #require(HeadPose(mesh(yaw: 12, pitch: 7, roll: -4, scale: 900)))
        #expect(abs(small.yaw - large.yaw) < 1e-9 && abs(small.pitch - large.pitch) < 1e-9)
    }

    @Test func `landmarks on one point have no pose`() {
        let landmarks = [Point](repeating: Point(x: 5, y: 5), count: FaceMesh.Landmark.count)
        #expect(HeadPose(FaceMesh(presence: 1, landmarks: landmarks)) == nil)
    }

    @Test func `K12 K13 eye distance and head length are of the eyes' middles and the chin`() {
        let face = mesh(yaw: 0, pitch: 0, roll: 40)
        #expect(abs(face.eyeDistance - 140) < 1e-9 && abs(face.headLength - 200) < 1e-9)
    }
}
