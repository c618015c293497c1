/// A picture of a run's events over time: lanes with spans and moments, captions below them, and a legend.
public struct TimelinePicture: Sendable {
    /// The meaning of a span of time in a lane, which determines the span's colour.
    public enum Tone: Sendable, Hashable {
        /// The object that the lane shows, such as a receiver or a GPIO line, is on.
        case on
        /// The object that the lane shows is off.
        case off
        /// A state between on and off, such as a receiver's cyclic tracking.
        case middle
        /// The state of a GPIO line that nothing drives, or an unknown state.
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
    private let legend: [(tone: Tone, words: String)]
    private let moments: String?

    /// Makes an empty picture.
    ///
    /// - Parameters:
    ///   - legend: For each tone (a colour with a meaning) the words that explain it; the legend shows the tones that
    ///     occur, in this order.
    ///   - moments: The words that explain the marks made with `mark`; nil to leave the marks out of the legend.
    public init(legend: [(tone: Tone, words: String)] = [], moments: String? = nil) {
        self.legend = legend
        self.moments = moments
    }

    /// Gives a lane a tone (a colour with a meaning) from an instant, in seconds, until the lane gets another tone.
    public mutating func set(_ lane: String, to tone: Tone, at second: Double) {
        let index = index(of: lane)
        if let last = lanes[index].spans.indices.last, lanes[index].spans[last].end == nil {
            lanes[index].spans[last].end = second
        }
        lanes[index].spans.append(Span(start: second, end: nil, tone: tone))
    }

    /// Marks an event in a lane at an instant, in seconds.
    public mutating func mark(_ lane: String, at second: Double) { lanes[index(of: lane)].moments.append(second) }

    /// Adds a line of text for a span of time, in seconds.
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

    /// The assumed width of a character of size 11, in points; more than the average width.
    private static let character = 6.2

    /// The SVG document, with the time axis up to an instant in seconds.
    public func svg(title: String, until end: Double) -> String {
        let bottom = Self.top + (Double(lanes.count + captions.count) + 0.5) * Self.row
        var svg = SVGText(width: Int(Self.left + Self.width) + 30, height: Int(bottom + Self.row))
        svg.text(title, x: 10, y: 24, size: 16, weight: "bold")
        drawSeconds(until: end, height: bottom - Self.row / 4, &svg)
        for (index, lane) in lanes.enumerated() {
            draw(lane, y: Self.top + Double(index) * Self.row, until: end, &svg)
        }
        for (index, caption) in captions.enumerated() {
            let y = Self.top + Double(lanes.count + index) * Self.row
            let (start, finish) = (x(caption.start, end), x(caption.end, end))
            svg.rectangle(x: start, y: y + 15, width: max(2, finish - start), height: 6, fill: caption.tone.colour)
            drawWords(caption.text, from: start, y: y + 10, &svg)
        }
        drawLegend(y: bottom, &svg)
        return svg.ended
    }

    /// Writes a caption above the bar that shows its span of time.
    ///
    /// The caption begins where the bar begins; if it would pass the picture's edge, it ends at the edge instead.
    private func drawWords(_ text: String, from start: Double, y: Double, _ svg: inout SVGText) {
        let right = Self.left + Self.width
        let fitting = Int((right - 10) / Self.character)
        let words = text.count > fitting ? text.prefix(fitting - 1) + "…" : text[...]
        let isBeyond = start + Double(words.count) * Self.character > right
        svg.text(
            String(words), x: isBeyond ? right : start, y: y, size: 11, anchor: isBeyond ? "end" : "start",
            hasHalo: true)
    }

    private func drawLegend(y: Double, _ svg: inout SVGText) {
        var x = Self.left
        let tones = Set(lanes.flatMap { $0.spans.map(\.tone) } + captions.map(\.tone))
        for (tone, words) in legend where tones.contains(tone) {
            svg.rectangle(x: x, y: y, width: 12, height: 12, fill: tone.colour)
            svg.text(words, x: x + 18, y: y + 10, size: 11)
            x += 40 + Double(words.count) * Self.character
        }
        guard let moments, lanes.contains(where: { !$0.moments.isEmpty }) else { return }
        drawMoment(x: x + 6, y: y, height: 12, &svg)
        svg.text(moments, x: x + 18, y: y + 10, size: 11)
    }

    private func drawMoment(x: Double, y: Double, height: Double, _ svg: inout SVGText) {
        svg.line(x1: x, y1: y, x2: x, y2: y + height, stroke: "#08519c", width: 1.5)
    }

    private func x(_ second: Double, _ end: Double) -> Double {
        Self.left + Self.width * min(max(second / max(end, 0.001), 0), 1)
    }

    private func drawSeconds(until end: Double, height: Double, _ svg: inout SVGText) {
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200]
        let step = steps.first { end / $0 <= 14 } ?? 14_400 * (end / 14 / 14_400).rounded(.up)
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
            drawMoment(x: x(moment, end), y: y, height: 18, &svg)
        }
    }
}
