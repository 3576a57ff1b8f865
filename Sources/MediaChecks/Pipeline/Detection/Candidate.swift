/// A box that a detector proposes, before doubles are removed.
package struct Candidate: Sendable, Hashable {
    /// The class's place in the descriptor.
    package let classIndex: Int
    package let score: Double
    package let box: PixelBox
    /// Its place in the output: equal scores keep this order.
    package let index: Int

    package init(classIndex: Int, score: Double, box: PixelBox, index: Int) {
        self.classIndex = classIndex
        self.score = score
        self.box = box
        self.index = index
    }

    /// Better score first, then the earlier place, then the earlier class: a total order.
    package static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        if left.index != right.index { return left.index < right.index }
        return left.classIndex < right.classIndex
    }
}
