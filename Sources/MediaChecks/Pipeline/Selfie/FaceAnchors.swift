/// The places that mediapipe's short-range face detector (BlazeFace, input 128 × 128) proposes faces at: a grid of stride 8
/// with two anchors a cell and one of stride 16 with six, row after row; 896 in all. An anchor is a point: its size is always
/// 1.
package enum FaceAnchors {
    package static let inputSide = 128

    /// Centres in fractions of the input.
    package static let centres: [Point] = [(stride: 8, each: 2), (stride: 16, each: 6)].flatMap { layer in
        let cells = inputSide / layer.stride
        return (0..<cells).flatMap { row in
            (0..<cells).flatMap { column in
                let centre = Point(x: (Double(column) + 0.5) / Double(cells), y: (Double(row) + 0.5) / Double(cells))
                return [Point](repeating: centre, count: layer.each)
            }
        }
    }
}
