/// Greedy removal of doubles: of two boxes of one class whose IoU is above the threshold the better one stays.
package enum NonMaximumSuppression {
    /// Only so many of the best are compared, which bounds the work that a hostile output can ask for.
    package static let considered = 1024

    /// - Parameters:
    ///   - overlap: a pair at exactly this IoU keeps both.
    ///   - limit: of what is returned, over all classes.
    /// - Returns: the kept ones, best first. The order of the candidates does not matter.
    package static func keep(_ candidates: [Candidate], overlap: Double, limit: Int) -> [Candidate] {
        var kept: [Candidate] = []
        for candidate in candidates.sorted(by: Candidate.precedes).prefix(considered) {
            guard kept.count < limit else { break }
            let isDouble = kept.contains { other in
                other.classIndex == candidate.classIndex && other.box.overlap(candidate.box) > overlap
            }
            if !isDouble { kept.append(candidate) }
        }
        return kept
    }
}
