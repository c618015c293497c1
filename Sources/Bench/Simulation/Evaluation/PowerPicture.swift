internal import Glibc
internal import Pictures

/// A picture of one run: when the receiver was on, when the board moved, and whether the location was right.
///
/// Three parts share one axis of time: the receiver's states as a coloured band; the movement of the board as a second
/// band, in red for the share in which the last location was farther off than the requested accuracy; and a curve of
/// the last location's error, filled where the error exceeds the requested accuracy. The background is shaded where the
/// board moves.
///
/// The result is a self-contained SVG document of 1200 by 470 points. The plot has one column for each point of its
/// width, however long the run is. The bands show each column's shares of time, stacked; the error is drawn from its
/// smallest to its largest value in the column. The axis of errors is logarithmic and begins at one metre; the time is
/// UTC.
public struct PowerPicture: Sendable {
    private let title: String
    private let accuracy: Double
    private let truth: TruthGrid
    private let columns: PictureColumns
    private let axis: ErrorAxis

    /// - Parameter accuracy: The requested accuracy, in metres.
    public init(of record: RunRecord, against truth: TruthGrid, accuracy: Double, title: String) {
        self.title = title
        self.accuracy = accuracy
        self.truth = truth
        columns = PictureColumns(of: record, against: truth, accuracy: accuracy, count: Frame.width)
        axis = ErrorAxis(greatest: max(columns.greatestError, accuracy * 2))
    }

    /// The SVG document.
    public var svg: String {
        var svg = SVGText(width: 1200, height: Frame.height)
        drawHeading(&svg)
        drawGround(&svg)
        drawReceiver(&svg)
        drawMovement(&svg)
        drawErrorAxis(&svg)
        drawTimeAxis(&svg)
        drawErrors(&svg)
        drawViolations(&svg)
        return svg.ended
    }

    /// The positions of the picture's parts; the plot is one point wide for each column.
    private enum Frame {
        static let height = 470
        static let left = 80
        static let width = 1100
        static let receiverTop = 92
        static let receiverHeight = 40
        static let marksTop = 134
        static let movementTop = 150
        static let movementHeight = 26
        static let plotTop = 188
        static let plotHeight = 222
        static var right: Int { left + width }
        static var plotBottom: Int { plotTop + plotHeight }
    }

    private enum Colour {
        static let line = "#333333"
        static let accuracy = "#c0182b"
        static let ground = "#f1f3f7"
        static let moving = "#55617a"
        static let violatedMoving = "#d7263d"
        static let violatedRest = "#f0b6ae"
    }

    private func colour(_ state: DrawState) -> String {
        switch state {
        case .off: "#d9d9d9"
        case .sleep: "#bcd7ee"
        case .acquire: "#e8743b"
        case .track: "#2f8f5b"
        }
    }

    private func words(_ state: DrawState) -> String {
        switch state {
        case .off: "off"
        case .sleep: "sleeps"
        case .acquire: "searches"
        case .track: "tracks"
        }
    }

    // MARK: Heading

    private func drawHeading(_ svg: inout SVGText) {
        svg.text(title, x: Double(Frame.left), y: 24, size: 16, weight: "bold")
        var x = Double(Frame.left)
        for state in DrawState.allCases {
            drawKey(words(state), fill: colour(state), x: x, y: 50, &svg)
            x += 95
        }
        svg.line(x1: x + 7, y1: 40, x2: x + 7, y2: 50, stroke: Colour.line, width: 1)
        svg.text("location delivered", x: x + 19, y: 50, size: 12)
        svg.line(x1: x + 180, y1: 46, x2: x + 198, y2: 46, stroke: Colour.line, width: 1.5)
        svg.text("error of the held location", x: x + 204, y: 50, size: 12)
        svg.line(x1: x + 410, y1: 46, x2: x + 428, y2: 46, stroke: Colour.accuracy, width: 1.5, dashes: "6 4")
        svg.text("accuracy asked for: \(SVGText.number(accuracy)) m", x: x + 434, y: 50, size: 12)
        x = Double(Frame.left)
        drawKey("moves, location right", fill: Colour.moving, x: x, y: 72, &svg)
        drawKey("moves, location too far off", fill: Colour.violatedMoving, x: x + 190, y: 72, &svg)
        drawKey("slow or at rest, location too far off", fill: Colour.violatedRest, x: x + 410, y: 72, &svg)
    }

    private func drawKey(_ words: String, fill: String, x: Double, y: Double, _ svg: inout SVGText) {
        svg.rectangle(x: x, y: y - 10, width: 14, height: 12, fill: fill)
        svg.text(words, x: x + 19, y: y, size: 12)
    }

    // MARK: Bands

    /// Shades the background at the times at which the board moves, from the top of the movement band to the bottom of
    /// the plot.
    private func drawGround(_ svg: inout SVGText) {
        for stretch in columns.moving.map({ $0 > 0 }).runs(of: true) {
            svg.rectangle(
                x: Double(Frame.left + stretch.lowerBound), y: Double(Frame.movementTop), width: Double(stretch.count),
                height: Double(Frame.plotBottom - Frame.movementTop), fill: Colour.ground)
        }
    }

    private func drawReceiver(_ svg: inout SVGText) {
        drawBand(
            "receiver", top: Frame.receiverTop, height: Frame.receiverHeight, shares: columns.shares,
            fills: DrawState.allCases.map(colour), &svg)
        for column in 0..<columns.count where columns.hasDelivery[column] {
            let x = Double(Frame.left + column) + 0.5
            let top = Double(Frame.marksTop)
            svg.line(x1: x, y1: top, x2: x, y2: top + 8, stroke: Colour.line, width: 0.8)
        }
    }

    private func drawMovement(_ svg: inout SVGText) {
        let shares = (0..<columns.count).map { column in
            [
                max(columns.moving[column] - columns.violatedMoving[column], 0), columns.violatedRest[column],
                columns.violatedMoving[column],
            ]
        }
        drawBand(
            "movement", top: Frame.movementTop, height: Frame.movementHeight, shares: shares,
            fills: [Colour.moving, Colour.violatedRest, Colour.violatedMoving], &svg)
    }

    /// Draws the shares of time in each state as stacked areas: the height of a column is divided among the states in
    /// proportion to their shares.
    ///
    /// Neighbouring columns with equal shares are drawn as one rectangle for each state. The last state is at the
    /// bottom.
    private func drawBand(
        _ name: String, top: Int, height: Int, shares: [[Double]], fills: [String], _ svg: inout SVGText
    ) {
        svg.text(name, x: Double(Frame.left - 8), y: Double(top + height / 2 + 4), size: 12, anchor: "end")
        var start = 0
        for column in 1...columns.count where column == columns.count || shares[column] != shares[start] {
            var bottom = Double(top + height)
            for (fill, share) in zip(fills, shares[start]).reversed() where share > 0 {
                bottom -= share * Double(height)
                svg.rectangle(
                    x: Double(Frame.left + start), y: bottom, width: Double(column - start),
                    height: share * Double(height), fill: fill)
            }
            start = column
        }
    }

    // MARK: Error

    private func drawErrorAxis(_ svg: inout SVGText) {
        for tick in axis.ticks {
            let y = height(of: tick.metres)
            svg.line(
                x1: Double(Frame.left), y1: y, x2: Double(Frame.right), y2: y,
                stroke: tick.isLabelled ? "#cccccc" : "#e8e8e8", width: 1)
            guard tick.isLabelled else { continue }
            svg.text(SVGText.number(tick.metres), x: Double(Frame.left - 8), y: y + 4, size: 12, anchor: "end")
        }
        let middle = Double(Frame.plotTop + Frame.plotHeight / 2)
        svg.text("error (m, logarithmic)", x: 22, y: middle, size: 13, anchor: "middle", turned: true)
    }

    private func drawTimeAxis(_ svg: inout SVGText) {
        let bottom = Double(Frame.plotBottom)
        svg.line(x1: Double(Frame.left), y1: bottom, x2: Double(Frame.right), y2: bottom, stroke: Colour.line, width: 1)
        let axis = TimeAxis(start: truth.startTime, end: truth.endTime)
        for time in axis.ticks {
            let share = (time - truth.startTime) / (truth.endTime - truth.startTime)
            let x = Double(Frame.left) + share * Double(Frame.width)
            svg.line(x1: x, y1: bottom, x2: x, y2: bottom + 6, stroke: Colour.line, width: 1)
            svg.text(axis.label(of: time), x: x, y: bottom + 21, size: 12, anchor: "middle")
        }
        let middle = Double(Frame.left + Frame.width / 2)
        svg.text("time (UTC, \(axis.unit))", x: middle, y: bottom + 46, size: 13, anchor: "middle")
    }

    /// Fills the area between the requested accuracy and a larger error, in a strong colour while the board moves.
    ///
    /// The area covers the curve of the error and is at least two points wide, so that a short violation is visible.
    private func drawViolations(_ svg: inout SVGText) {
        drawViolations(fill: Colour.violatedRest, &svg) { columns.violatedMoving[$0] == 0 }
        drawViolations(fill: Colour.violatedMoving, &svg) { columns.violatedMoving[$0] > 0 }
    }

    private func drawViolations(fill: String, _ svg: inout SVGText, where isMeant: (Int) -> Bool) {
        let base = SVGText.number(height(of: accuracy))
        let isFilled = (0..<columns.count).map { column in
            isMeant(column) && (columns.errors[column]?.upperBound ?? 0) > accuracy
        }
        var area = ""
        for stretch in isFilled.runs(of: true) {
            area += "M\(SVGText.number(Double(Frame.left + stretch.lowerBound) - 0.5)) \(base)"
            for error in columns.errors[stretch] {
                area += "V\(SVGText.number(height(of: error?.upperBound ?? accuracy)))h1"
            }
            area += "h1V\(base)Z"
        }
        if !area.isEmpty { svg.area(area, fill: fill, opacity: 1) }
    }

    private func drawErrors(_ svg: inout SVGText) {
        var path = ""
        for column in 0..<columns.count {
            guard let errors = columns.errors[column] else { continue }
            let x = SVGText.number(Double(Frame.left + column) + 0.5)
            let (low, high) = (height(of: errors.lowerBound), height(of: errors.upperBound))
            path += "\(path.isEmpty ? "M" : "L")\(x) \(SVGText.number(low))"
            if high != low { path += "L\(x) \(SVGText.number(high))" }
        }
        if !path.isEmpty { svg.path(path, stroke: Colour.line, width: 1) }
        let y = height(of: accuracy)
        svg.line(
            x1: Double(Frame.left), y1: y, x2: Double(Frame.right), y2: y, stroke: Colour.accuracy, width: 1.5,
            dashes: "6 4")
    }

    private func height(of metres: Double) -> Double {
        Double(Frame.plotBottom) - axis.share(of: metres) * Double(Frame.plotHeight)
    }
}

/// The axis of errors: logarithmic, from one metre to a power of ten.
struct ErrorAxis {
    private let decades: Int

    init(greatest: Double) {
        decades = greatest.isFinite ? max(1, Int(log10(greatest).rounded(.up))) : 1
    }

    /// The position of an error on the logarithmic axis, from 0 (one metre or less) to 1 (the axis's top).
    func share(of metres: Double) -> Double {
        min(max(log10(max(metres, 1)) / Double(decades), 0), 1)
    }

    var ticks: [(metres: Double, isLabelled: Bool)] {
        (0...decades).flatMap { decade in
            let power = pow(10, Double(decade))
            return decade == decades
                ? [(power, true)] : [(power, true), (power * 2, false), (power * 5, false)]
        }
    }
}

/// The axis of time, with six to thirteen steps of round length if the trace is longer than a minute.
struct TimeAxis {
    private static let steps = [
        1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    private static let maximumTicks = 13.0

    let ticks: [Double]
    private let step: Double

    init(start: Double, end: Double) {
        let days = ((end - start) / Self.maximumTicks / 86_400).rounded(.up)
        let step = Self.steps.first { (end - start) / $0 <= Self.maximumTicks } ?? days * 86_400
        self.step = step
        ticks = Array(stride(from: (start / step).rounded(.up) * step, through: end, by: step))
    }

    var unit: String {
        step < 60 ? "hours:minutes:seconds" : step < 86_400 ? "hours:minutes" : "days since 1970-01-01"
    }

    func label(of time: Double) -> String {
        guard step < 86_400 else { return String(Int((time / 86_400).rounded())) }
        let seconds = Int(time.truncatingRemainder(dividingBy: 86_400).rounded())
        let clock = "\(Self.twoDigits(seconds / 3600)):\(Self.twoDigits(seconds / 60 % 60))"
        return step < 60 ? "\(clock):\(Self.twoDigits(seconds % 60))" : clock
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
