import Glibc

/// A place in a picture, in pixels; `z` is depth in the same unit, larger is farther from the camera.
package struct Point: Sendable, Hashable {
    package var x, y, z: Double

    package init(x: Double, y: Double, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
    package var length: Double { (x * x + y * y + z * z).squareRoot() }

    package static func - (left: Point, right: Point) -> Point {
        Point(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    package static func middle(_ left: Point, _ right: Point) -> Point {
        Point(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2, z: (left.z + right.z) / 2)
    }
}
