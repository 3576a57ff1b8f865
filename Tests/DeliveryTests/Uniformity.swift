/// How evenly times are spread over an interval.
struct Uniformity {
    /// Kolmogorov and Smirnov's distance from the uniform distribution.
    let distance: Double
    /// Of the busiest of its equal parts, as a multiple of the mean.
    let busiest: Double
    let count: Int

    init(_ times: [Int64], over length: Int64, parts: Int) {
        count = times.count
        let total = Double(times.count)
        distance = times.sorted().enumerated().reduce(0) { worst, sample in
            let expected = Double(sample.element) / Double(length)
            let (below, upTo) = (Double(sample.offset) / total, Double(sample.offset + 1) / total)
            return max(worst, expected - below, upTo - expected)
        }
        var counts = [Int](repeating: 0, count: parts)
        for time in times { counts[Int(time * Int64(parts) / length)] += 1 }
        busiest = Double(counts.max() ?? 0) * Double(parts) / total
    }

    /// At a level of 1 %, for more than a few dozen samples.
    var isUniform: Bool { distance < 1.628 / Double(count).squareRoot() }
}
