/// Places labels on a picture so that, as far as there is room, none covers another.
struct PictureLabels {
    /// The part of a label (start, middle or end) that lies at the position given for it.
    enum Anchor: String { case start, middle, end }

    private var taken: [(left: Double, right: Double, y: Double)] = []

    /// The height of a line of text of size 12, in points.
    private static let height = 14.0
    /// The average width of a character of size 12, in points.
    private static let width = 6.6

    /// Writes a label at a position, or a little above or below it if another label is there already.
    mutating func place(
        _ words: String, x: Double, y: Double, anchor: Anchor, fill: String, on svg: inout SVGText
    ) {
        let width = Double(words.count) * PictureLabels.width
        let left =
            switch anchor {
            case .start: x
            case .middle: x - width / 2
            case .end: x - width
            }
        let shift = [0.0, 1, -1, 2, -2, 3, -3].first { isFree(left, left + width, y + $0 * PictureLabels.height) }
        let shifted = y + (shift ?? 0) * PictureLabels.height
        taken.append((left, left + width, shifted))
        svg.text(words, x: x, y: shifted, size: 12, anchor: anchor.rawValue, fill: fill, hasHalo: true)
    }

    private func isFree(_ left: Double, _ right: Double, _ y: Double) -> Bool {
        taken.allSatisfy { $0.right <= left || right <= $0.left || abs($0.y - y) >= PictureLabels.height - 1 }
    }
}
