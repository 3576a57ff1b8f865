import MediaChecks
import Testing

@Suite struct TensorTests {
    @Test func `S54 pixels become NHWC numbers by scale and offset, in the order of the bytes`() {
        let image = RGBImage(width: 2, height: 1, bytes: [0, 51, 255, 102, 204, 1])
        let tensor = FloatTensor(image, scale: 1.0 / 255, offset: 0)
        #expect(tensor.shape == [1, 1, 2, 3])
        #expect(tensor.values == [0, 0.2, 1, 0.4, 0.8, Float(1.0 / 255)])
        let centred = FloatTensor(image, scale: 1 / 127.5, offset: -1)
        #expect(centred.values == [-1, -0.6, 1, -0.2, 0.6, Float(1 / 127.5 - 1)])
    }

    @Test func `S54 every level has one number, and the same bytes give the same numbers`() {
        var bytes: [UInt8] = []
        for level in UInt8.min...UInt8.max { bytes += [level, 255 - level, level] }
        let image = RGBImage(width: 16, height: 16, bytes: bytes)
        let first = FloatTensor(image, scale: 1.0 / 255, offset: 0)
        #expect(first == FloatTensor(image, scale: 1.0 / 255, offset: 0))
        for level in 0...255 { #expect(first.values[3 * level] == Float(Double(level) / 255)) }
        #expect(first.values.allSatisfy { (0...1).contains($0) })
    }

    @Test func `F25 a grey picture has three equal channels`() {
        let image = RGBImage(width: 4, height: 4, bytes: [UInt8](repeating: 77, count: 48))
        let tensor = FloatTensor(image, scale: 1.0 / 255, offset: 0)
        #expect(tensor.shape == [1, 4, 4, 3] && Set(tensor.values).count == 1)
    }
}
