/// How much of a card changes its hue while the card is tilted: the baseline of the MIDV-Holo paper. A number to look at, never a decision.
///
/// Every frame brings the card stretched to the same small grid. A cell that is too bright is left out of its frame; the others are
/// balanced by the grey-world rule. A cell is holographic when it was ever saturated enough and its hues, added as vectors weighted by
/// saturation, largely cancel out. Memory is that of the grid, however long the video is.
package struct HologramMeasure: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Luma (BT.601, 0 to 255) above which a cell is a reflection.
        package var highlight = 240.0
        /// 0 to 255; a cell counts only when it was once above.
        package var saturation = 40.0
        /// 0 to 255; hues cancel out when their coherence is below.
        package var coherence = 100.0
        /// Of the card, holographic.
        package var areaShare = 0.02
        /// A cell counts after it was seen in this many frames.
        package var frames = 5

        package init() {}
    }

    private struct Cell {
        var hueX = 0.0
        var hueY = 0.0
        var saturations = 0.0
        var mostSaturation = 0.0
        var frames = 0
    }

    package let width: Int
    package let height: Int
    package let limits: Limits
    private var cells: [Cell]
    /// The largest share of holographic cells after any frame; nil until a cell was seen often enough.
    package private(set) var largestShare: Double?
    /// When the share first reached the limit.
    package private(set) var crossedAtMilliseconds: Int64?

    package init(width: Int = 64, height: Int = 40, limits: Limits = .init()) {
        self.width = width
        self.height = height
        self.limits = limits
        cells = Array(repeating: Cell(), count: width * height)
    }

    /// - Precondition: `card` has the grid's size.
    /// - Returns: the share of the cells that were a reflection in this frame.
    @discardableResult
    package mutating func add(_ card: RGBImage, atMilliseconds time: Int64) -> Double {
        precondition(card.width == width && card.height == height, "the card is stretched to the grid")
        let balance = GreyWorld(card, highlight: limits.highlight)
        for index in cells.indices {
            guard let colour = balance.colour(index) else { continue }
            let hue = colour.hue
            let saturation = colour.saturation
            cells[index].hueX += saturation * hue.x
            cells[index].hueY += saturation * hue.y
            cells[index].saturations += saturation
            cells[index].mostSaturation = max(cells[index].mostSaturation, saturation)
            cells[index].frames += 1
        }
        if let share {
            largestShare = max(largestShare ?? 0, share)
            if share >= limits.areaShare, crossedAtMilliseconds == nil { crossedAtMilliseconds = time }
        }
        return balance.highlightShare
    }

    /// Of the cells that were seen often enough, the holographic ones; nil while there is none.
    package var share: Double? {
        var seen = 0
        var holographic = 0
        for cell in cells where cell.frames >= limits.frames {
            seen += 1
            if isHolographic(cell) { holographic += 1 }
        }
        return seen == 0 ? nil : Double(holographic) / Double(seen)
    }

    private func isHolographic(_ cell: Cell) -> Bool {
        guard cell.mostSaturation > limits.saturation else { return false }
        let length = (cell.hueX * cell.hueX + cell.hueY * cell.hueY).squareRoot()
        return 255 * length / cell.saturations < limits.coherence
    }
}
