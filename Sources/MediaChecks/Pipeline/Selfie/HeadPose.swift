import Glibc

/// Where a face looks, in degrees, from its landmarks. 0, 0, 0 looks straight into the camera.
package struct HeadPose: Sendable, Hashable {
    /// Positive: turned towards the right edge of the picture.
    package let yaw: Double
    /// Positive: the chin is raised.
    package let pitch: Double
    /// Positive: tilted clockwise in the picture.
    package let roll: Double

    package init(yaw: Double, pitch: Double, roll: Double) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }

    /// From the line through the outer corners of the eyes and the one from forehead to chin, made perpendicular to it.
    ///
    /// - Returns: nil when the landmarks lie on one point.
    package init?(_ mesh: FaceMesh) {
        let across = mesh.landmarks[FaceMesh.Landmark.leftEyeOuter] - mesh.landmarks[FaceMesh.Landmark.rightEyeOuter]
        let down = mesh.landmarks[FaceMesh.Landmark.chin] - mesh.landmarks[FaceMesh.Landmark.forehead]
        guard across.length > 0, across.isFinite, down.isFinite else { return nil }
        let along = (across.x * down.x + across.y * down.y + across.z * down.z) / (across.length * across.length)
        let upright = Point(x: down.x - along * across.x, y: down.y - along * across.y, z: down.z - along * across.z)
        guard upright.length > 0 else { return nil }
        func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
        yaw = degrees(atan2(across.z, (across.x * across.x + across.y * across.y).squareRoot()))
        pitch = degrees(asin(min(1, max(-1, -upright.z / upright.length))))
        roll = degrees(atan2(across.y, across.x))
    }
}
