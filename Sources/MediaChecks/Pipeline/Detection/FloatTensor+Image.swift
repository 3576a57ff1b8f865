extension FloatTensor {
    /// `[1, height, width, 3]` from pixels: a byte `b` becomes `b · scale + offset`, rounded once to float32. The same bytes
    /// always give the same numbers.
    package init(_ image: RGBImage, scale: Double, offset: Double) {
        let table = (0...255).map { Float(Double($0) * scale + offset) }
        var values = [Float](repeating: 0, count: image.bytes.count)
        let bytes = image.bytes.span
        var numbers = values.mutableSpan
        let steps = table.span
        for index in 0..<bytes.count { numbers[index] = steps[Int(bytes[index])] }
        self.init(shape: [1, image.height, image.width, 3], values: values)
    }

    package init(_ image: RGBImage, _ descriptor: ModelDescriptor) {
        self.init(image, scale: descriptor.scale, offset: descriptor.offset)
    }
}
