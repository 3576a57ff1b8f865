/// How many numbers a shape has; nil where a side is negative or nothing could hold them.
func elementCount(of shape: [Int]) -> Int? {
    var count = 1
    for side in shape {
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: side)
        guard side >= 0, !isTooLarge, product <= 1 << 28 else { return nil }
        count = product
    }
    return count
}
