internal import Pictures

/// A picture of a fleet's run: connections and stored records, second by second.
///
/// The result is an SVG document of 1000 by 460 points that needs no other file.
public struct FleetPicture: Sendable {
    private let tally: FleetTally
    /// The times at which the broker was killed, in seconds after the start.
    private let kills: [Int]

    private static let left = 70.0
    private static let width = 900.0
    private static let height = 150.0

    public init(of tally: FleetTally, kills: [Int]) {
        self.tally = tally
        self.kills = kills
    }

    /// The SVG document.
    public func svg(title: String) -> String {
        var svg = SVGText(width: 1000, height: 460)
        svg.text(title, x: 20, y: 28, size: 16, weight: "bold")
        draw("connections taken, a second", tally.seconds.map(\.connections), y: 70, colour: "#d95f0e", &svg)
        draw("records stored and acknowledged, a second", tally.seconds.map(\.stored), y: 270, colour: "#1f5fa8", &svg)
        return svg.ended
    }

    private func draw(_ title: String, _ counts: [Int], y top: Double, colour: String, _ svg: inout SVGText) {
        let most = max(1, counts.max() ?? 1)
        let step = Self.width / Double(max(1, counts.count))
        let bottom = top + Self.height
        svg.text("\(title); the most: \(most)", x: Self.left, y: top - 8, size: 13)
        for (second, count) in counts.enumerated() where count > 0 {
            let height = Self.height * Double(count) / Double(most)
            svg.rectangle(
                x: Self.left + Double(second) * step, y: bottom - height, width: step, height: height, fill: colour)
        }
        svg.line(x1: Self.left, y1: bottom, x2: Self.left + Self.width, y2: bottom, stroke: "#999999", width: 1)
        svg.text("\(most)", x: Self.left - 8, y: top + 10, size: 12, anchor: "end")
        for second in stride(from: 0, to: counts.count, by: counts.count > 120 ? 60 : 10) {
            svg.text("\(second) s", x: Self.left + Double(second) * step, y: bottom + 16, size: 11, anchor: "middle")
        }
        for kill in kills {
            let x = Self.left + Double(kill) * step
            svg.line(x1: x, y1: top, x2: x, y2: bottom, stroke: "#c0392b", width: 1.5, dashes: "4 3")
            svg.text("broker killed", x: x + 4, y: top + 12, size: 11, fill: "#c0392b", hasHalo: true)
        }
    }
}
