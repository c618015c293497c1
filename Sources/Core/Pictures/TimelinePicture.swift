/// A run's happenings over time: lanes with spans and moments, and captions below.
public struct TimelinePicture: Sendable {
    /// How a span is filled.
    public enum Tone: Sendable, Hashable {
        /// Something is on.
        case on
        /// It is off.
        case off
        /// Between the two.
        case middle
        /// Nobody says what it is.
        case open
        case good
        case bad

        var colour: String {
            switch self {
            case .on: "#d95f0e"
            case .off: "#e5e5e5"
            case .middle: "#fec44f"
            case .open: "#9ecae1"
            case .good: "#74c476"
            case .bad: "#de2d26"
            }
        }
    }

    private struct Span: Sendable {
        var start: Double
        var end: Double?
        var tone: Tone
    }

    private struct Lane: Sendable {
        var name: String
        var spans: [Span] = []
        var moments: [Double] = []
    }

    private var lanes: [Lane] = []
    private var captions: [(start: Double, end: Double, tone: Tone, text: String)] = []

    public init() {}

    /// From an instant on, in seconds, a lane has a tone, until it has another.
    public mutating func set(_ lane: String, to tone: Tone, at second: Double) {
        let index = index(of: lane)
        if let last = lanes[index].spans.indices.last, lanes[index].spans[last].end == nil {
            lanes[index].spans[last].end = second
        }
        lanes[index].spans.append(Span(start: second, end: nil, tone: tone))
    }

    /// Something happened at an instant, in seconds.
    public mutating func mark(_ lane: String, at second: Double) { lanes[index(of: lane)].moments.append(second) }

    /// A line of words for a time, in seconds.
    public mutating func caption(_ text: String, from start: Double, to end: Double, _ tone: Tone) {
        captions.append((start, end, tone, text))
    }

    private mutating func index(of name: String) -> Int {
        if let index = lanes.firstIndex(where: { $0.name == name }) { return index }
        lanes.append(Lane(name: name))
        return lanes.count - 1
    }

    // MARK: Drawing

    private static let left = 170.0
    private static let width = 1000.0
    private static let top = 50.0
    private static let row = 26.0

    /// The picture up to an instant, in seconds.
    public func svg(title: String, until end: Double) -> String {
        let rows = Double(lanes.count + captions.count)
        let height = Self.top + (rows + 2) * Self.row
        var svg = SVGText(width: Int(Self.left + Self.width) + 30, height: Int(height))
        svg.text(title, x: 10, y: 24, size: 16, weight: "bold")
        drawSeconds(until: end, height: height - Self.row, &svg)
        for (index, lane) in lanes.enumerated() {
            draw(lane, y: Self.top + Double(index) * Self.row, until: end, &svg)
        }
        for (index, caption) in captions.enumerated() {
            let y = Self.top + Double(lanes.count + index) * Self.row + Self.row / 2
            let (start, finish) = (x(caption.start, end), x(caption.end, end))
            svg.rectangle(x: start, y: y, width: max(2, finish - start), height: 12, fill: caption.tone.colour)
            // Behind its bar, or before it; over it where there is room on neither side.
            let middle = Self.left + Self.width / 2
            let isBefore = finish > middle && start > middle
            let place = isBefore ? start - 5 : finish > middle ? start + 5 : finish + 5
            svg.text(caption.text, x: place, y: y + 11, size: 11, anchor: isBefore ? "end" : "start", hasHalo: true)
        }
        return svg.ended
    }

    private func x(_ second: Double, _ end: Double) -> Double {
        Self.left + Self.width * min(max(second / max(end, 0.001), 0), 1)
    }

    private func drawSeconds(until end: Double, height: Double, _ svg: inout SVGText) {
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300].first { end / $0 <= 14 } ?? 600
        var second = 0.0
        while second <= end {
            let place = x(second, end)
            svg.line(x1: place, y1: Self.top - 6, x2: place, y2: height, stroke: "#dddddd", width: 1)
            svg.text("\(SVGText.number(second)) s", x: place, y: Self.top - 10, size: 11, anchor: "middle")
            second += step
        }
    }

    private func draw(_ lane: Lane, y: Double, until end: Double, _ svg: inout SVGText) {
        svg.text(lane.name, x: Self.left - 8, y: y + 14, size: 12, anchor: "end")
        for span in lane.spans {
            let (start, finish) = (x(span.start, end), x(span.end ?? end, end))
            svg.rectangle(x: start, y: y, width: max(0.5, finish - start), height: 18, fill: span.tone.colour)
        }
        for moment in lane.moments {
            svg.line(x1: x(moment, end), y1: y, x2: x(moment, end), y2: y + 18, stroke: "#08519c", width: 1.5)
        }
    }
}
