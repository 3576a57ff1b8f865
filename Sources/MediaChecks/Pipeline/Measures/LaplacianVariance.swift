/// Sharpness without a model: the variance of the discrete Laplacian (kernel 0 1 0, 1 −4 1, 0 1 0) over the pixels that have
/// all four neighbours, on luma in whole levels (Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", 2000).
///
/// It depends on resolution: only crops that were scaled to one width can be compared.
package enum LaplacianVariance {
    /// 0 for an image without inner pixels.
    package static func of(_ luma: Luma) -> Double {
        let (width, height) = (luma.width, luma.height)
        guard width > 2, height > 2 else { return 0 }
        let levels = luma.levels
        let pixels = levels.span
        var sum = 0
        var squares = 0
        for row in 1..<(height - 1) {
            for column in 1..<(width - 1) {
                let index = row * width + column
                let value =
                    Int(pixels[index - 1]) + Int(pixels[index + 1]) + Int(pixels[index - width]) + Int(pixels[index + width])
                    - 4 * Int(pixels[index])
                sum += value
                squares += value * value
            }
        }
        let count = Double((width - 2) * (height - 2))
        let mean = Double(sum) / count
        return Double(squares) / count - mean * mean
    }
}
