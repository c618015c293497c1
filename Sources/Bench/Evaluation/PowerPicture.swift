internal import Glibc
internal import Pictures

/// A picture of one run: the receiver's states as a coloured band, and below it the held location's error against the
/// accuracy asked for, over time.
///
/// The result is an SVG document of 1200 by 420 that needs nothing else. However long the run, there is one column for
/// each point of width: the band shows in each column the share of time of every state, stacked, and the error its
/// least and its greatest value; columns with an error beyond the accuracy have a red ground. The error's axis is logarithmic and begins at one metre, the time is UTC.
public struct PowerPicture: Sendable {
    private let title: String
    private let accuracy: Double
    private let truth: TruthGrid
    private let record: RunRecord
    private let columns: PictureColumns
    private let axis: ErrorAxis

    /// - Parameter accuracy: Metres asked for.
    public init(of record: RunRecord, against truth: TruthGrid, accuracy: Double, title: String) {
        self.title = title
        self.accuracy = accuracy
        self.truth = truth
        self.record = record
        columns = PictureColumns(of: record, against: truth, count: Frame.width)
        axis = ErrorAxis(greatest: max(columns.greatestError, accuracy * 2))
    }

    /// The SVG document.
    public var svg: String {
        var svg = SVGText(width: 1200, height: 420)
        drawHeading(&svg)
        drawBand(&svg)
        drawViolations(&svg)
        drawErrorAxis(&svg)
        drawTimeAxis(&svg)
        drawErrors(&svg)
        return svg.ended
    }

    /// Where things stand; the plot is one point wide for each column.
    private enum Frame {
        static let left = 80
        static let width = 1100
        static let bandTop = 66
        static let bandHeight = 44
        static let marksTop = 114
        static let plotTop = 136
        static let plotHeight = 224
        static var right: Int { left + width }
        static var plotBottom: Int { plotTop + plotHeight }
    }

    private func colour(_ state: ReceiverState) -> String {
        switch state {
        case .off: "#d9d9d9"
        case .sleep: "#bcd7ee"
        case .acquire: "#e8743b"
        case .track: "#2f8f5b"
        }
    }

    private func drawHeading(_ svg: inout SVGText) {
        svg.text(title, x: Double(Frame.left), y: 24, size: 16, weight: "bold")
        var x = Double(Frame.left)
        for state in ReceiverState.allCases {
            svg.rectangle(x: x, y: 37, width: 14, height: 12, fill: colour(state))
            svg.text(state.rawValue, x: x + 19, y: 47, size: 12)
            x += 82
        }
        svg.line(x1: x, y1: 43, x2: x + 18, y2: 43, stroke: "#333333", width: 1.5)
        svg.text("error of the held location", x: x + 24, y: 47, size: 12)
        svg.line(x1: x + 190, y1: 43, x2: x + 208, y2: 43, stroke: "#c0182b", width: 1.5, dashes: "6 4")
        svg.text("accuracy asked for: \(SVGText.number(accuracy)) m", x: x + 214, y: 47, size: 12)
        svg.line(x1: x + 410, y1: 38, x2: x + 410, y2: 48, stroke: "#333333", width: 1)
        svg.text("a location delivered", x: x + 417, y: 47, size: 12)
        svg.rectangle(x: x + 560, y: 37, width: 14, height: 12, fill: PowerPicture.violationColour)
        svg.text("farther off than asked for", x: x + 579, y: 47, size: 12)
    }

    /// One rectangle for each stretch of columns with the same shares.
    private func drawBand(_ svg: inout SVGText) {
        let label = Double(Frame.left - 8)
        svg.text("state", x: label, y: Double(Frame.bandTop + Frame.bandHeight / 2 + 4), size: 12, anchor: "end")
        var start = 0
        for column in 1...columns.count
        where column == columns.count || columns.shares[column] != columns.shares[start] {
            var bottom = Double(Frame.bandTop + Frame.bandHeight)
            for (state, share) in zip(ReceiverState.allCases.reversed(), columns.shares[start].reversed())
            where share > 0 {
                let height = share * Double(Frame.bandHeight)
                bottom -= height
                svg.rectangle(
                    x: Double(Frame.left + start), y: bottom, width: Double(column - start), height: height,
                    fill: colour(state))
            }
            start = column
        }
        for column in 0..<columns.count where columns.hasDelivery[column] {
            let x = Double(Frame.left + column) + 0.5
            let top = Double(Frame.marksTop)
            svg.line(x1: x, y1: top, x2: x, y2: top + 10, stroke: "#333333", width: 0.8)
        }
    }

    private func drawErrorAxis(_ svg: inout SVGText) {
        for tick in axis.ticks {
            let y = height(of: tick.metres)
            svg.line(
                x1: Double(Frame.left), y1: y, x2: Double(Frame.right), y2: y,
                stroke: tick.isLabelled ? "#cccccc" : "#eeeeee", width: 1)
            guard tick.isLabelled else { continue }
            svg.text(SVGText.number(tick.metres), x: Double(Frame.left - 8), y: y + 4, size: 12, anchor: "end")
        }
        let middle = Double(Frame.plotTop + Frame.plotHeight / 2)
        svg.text("error (m, logarithmic)", x: 22, y: middle, size: 13, anchor: "middle", turned: true)
    }

    private func drawTimeAxis(_ svg: inout SVGText) {
        let bottom = Double(Frame.plotBottom)
        svg.line(x1: Double(Frame.left), y1: bottom, x2: Double(Frame.right), y2: bottom, stroke: "#333333", width: 1)
        let axis = TimeAxis(start: truth.startTime, end: truth.endTime)
        for time in axis.ticks {
            let share = (time - truth.startTime) / (truth.endTime - truth.startTime)
            let x = Double(Frame.left) + share * Double(Frame.width)
            svg.line(x1: x, y1: bottom, x2: x, y2: bottom + 6, stroke: "#333333", width: 1)
            svg.text(axis.label(of: time), x: x, y: bottom + 21, size: 12, anchor: "middle")
        }
        let middle = Double(Frame.left + Frame.width / 2)
        svg.text("time (UTC, \(axis.unit))", x: middle, y: 408, size: 13, anchor: "middle")
    }

    /// A red ground behind the columns in which the location is at any time farther off than was asked for.
    private func drawViolations(_ svg: inout SVGText) {
        var start: Int?
        for column in 0...columns.count {
            let isViolated = column < columns.count && columns.errors[column].map { $0.upperBound > accuracy } == true
            if isViolated {
                if start == nil { start = column }
            } else if let from = start {
                svg.rectangle(
                    x: Double(Frame.left + from), y: Double(Frame.plotTop), width: Double(column - from),
                    height: Double(Frame.plotHeight), fill: PowerPicture.violationColour)
                start = nil
            }
        }
    }

    private static let violationColour = "#fae3e1"

    private func drawErrors(_ svg: inout SVGText) {
        var path = ""
        for column in 0..<columns.count {
            guard let errors = columns.errors[column] else { continue }
            let x = SVGText.number(Double(Frame.left + column) + 0.5)
            let (low, high) = (height(of: errors.lowerBound), height(of: errors.upperBound))
            path += "\(path.isEmpty ? "M" : "L")\(x) \(SVGText.number(low))"
            if high != low { path += "L\(x) \(SVGText.number(high))" }
        }
        if !path.isEmpty { svg.path(path, stroke: "#333333", width: 1.2) }
        let y = height(of: accuracy)
        svg.line(
            x1: Double(Frame.left), y1: y, x2: Double(Frame.right), y2: y, stroke: "#c0182b", width: 1.5, dashes: "6 4")
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

    /// From 0 at one metre or less to 1 at the top.
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

/// The axis of time: whole steps of the clock, six to thirteen of them where the trace is longer than a minute.
struct TimeAxis {
    private static let steps = [
        1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    private static let mostTicks = 13.0

    let ticks: [Double]
    private let step: Double

    init(start: Double, end: Double) {
        let days = ((end - start) / Self.mostTicks / 86_400).rounded(.up)
        let step = Self.steps.first { (end - start) / $0 <= Self.mostTicks } ?? days * 86_400
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
