public import Magnetism

/// A picture of a compass calibration: the samples in space before and after calibration, the covered directions, and
/// the residuals.
///
/// The result is an SVG document of 1200 by 900 points that needs no other file.
public struct CompassPicture: Sendable {
    private let samples: [CalibrationSample]
    private let fit: CalibrationFit

    private enum Colour {
        static let sample = "#1f5fa8"
        static let outlier = "#c0392b"
        static let sphere = "#2f8f5b"
        static let grid = "#e6e6e6"
        static let axis = "#999999"
    }

    /// The number of samples above which only every nth sample is drawn, so that fewer than twice this number are
    /// drawn.
    private static let maximumSamples = 3000

    public init(of samples: [CalibrationSample], _ fit: CalibrationFit) {
        self.samples = samples
        self.fit = fit
    }

    /// The SVG document.
    public func svg(title: String) -> String {
        var svg = SVGText(width: 1200, height: 900)
        svg.text(title, x: 20, y: 30, size: 18, weight: "bold")
        svg.text(heading, x: 20, y: 52, size: 13)
        let calibration = fit.calibration
        let reach = samples.reduce(calibration.norm) { reach, sample in
            let field = sample.field
            return max(reach, max(abs(field.x), max(abs(field.y), abs(field.z))))
        }
        drawSpace(
            samples.map(\.field), sphere: calibration.offset,
            SpaceView(x: 20, y: 90, width: 570, height: 430, reach: 1.2 * reach), "before, µT", &svg)
        drawSpace(
            samples.map { calibration.apply(to: $0.field) }, sphere: .zero,
            SpaceView(x: 610, y: 90, width: 570, height: 430, reach: 1.35 * calibration.norm), "after, µT", &svg)
        drawCoverage(x: 60, y: 590, width: 480, height: 240, &svg)
        drawResiduals(x: 670, y: 590, width: 500, height: 240, &svg)
        return svg.ended
    }

    private var heading: String {
        let calibration = fit.calibration
        let reach = calibration.reach == .spatial ? "for every attitude" : "for the plane of the turns only"
        return "\(samples.count) samples, \(fit.outlierCount) taken for wrong; \(reach); residual "
            + "\(SVGText.number(calibration.residual)) µT of \(SVGText.number(calibration.norm)); expected heading error "
            + "\(SVGText.number(calibration.levelHeadingError))° level, "
            + "\(SVGText.number(calibration.tiltedHeadingError))° at 25° of roll"
    }

    // MARK: Space

    private func drawSpace(
        _ points: [SIMD3<Double>], sphere: SIMD3<Double>, _ view: SpaceView, _ title: String, _ svg: inout SVGText
    ) {
        let name = "space\(Int(view.x))"
        svg.text(title, x: view.x, y: view.y - 8, size: 13, weight: "bold")
        svg.beginGroup(within: name, x: view.x, y: view.y, width: view.width, height: view.height)
        drawFloor(view, &svg)
        let step = max(1, points.count / CompassPicture.maximumSamples)
        let order = stride(from: 0, to: points.count, by: step).sorted {
            view.depth(points[$0]) < view.depth(points[$1])
        }
        for index in order {
            let (x, y) = view.place(points[index])
            let isNear = view.depth(points[index]) > view.depth(sphere)
            let colour = fit.isOutlier[index] ? Colour.outlier : Colour.sample
            svg.circle(x: x, y: y, radius: isNear ? 2.4 : 1.7, fill: colour, opacity: isNear ? 0.85 : 0.35)
        }
        for circle in view.circles(about: sphere, radius: fit.calibration.norm) {
            svg.path(circle.path, stroke: Colour.sphere, width: 1, dashes: circle.isOutline ? nil : "3 4")
        }
        svg.endGroup()
    }

    /// Draws a grid in the plane of x and y, and the axes.
    private func drawFloor(_ view: SpaceView, _ svg: inout SVGText) {
        let step = view.gridStep
        let count = Int(view.reach / step)
        let end = Double(count) * step
        for index in -count...count {
            let at = Double(index) * step
            for (from, to) in [
                (SIMD3(at, -end, 0), SIMD3(at, end, 0)), (SIMD3(-end, at, 0), SIMD3(end, at, 0)),
            ] { drawLine(from, to, Colour.grid, view, &svg) }
        }
        for (axis, name) in [(SIMD3(end, 0, 0), "x"), (SIMD3(0, end, 0), "y"), (SIMD3(0, 0, end), "z")] {
            drawLine(.zero, axis, Colour.axis, view, &svg)
            let (x, y) = view.place(axis * 1.04)
            svg.text("\(name) \(SVGText.number(end))", x: x, y: y, size: 11, anchor: "middle", fill: Colour.axis)
        }
    }

    private func drawLine(
        _ from: SIMD3<Double>, _ to: SIMD3<Double>, _ colour: String, _ view: SpaceView, _ svg: inout SVGText
    ) {
        let (start, end) = (view.place(from), view.place(to))
        svg.line(x1: start.x, y1: start.y, x2: end.x, y2: end.y, stroke: colour, width: 1)
    }

    // MARK: Coverage

    /// Draws the sections of the sphere, which have equal areas, as equal cells of an unrolled cylinder.
    private func drawCoverage(x: Double, y: Double, width: Double, height: Double, _ svg: inout SVGText) {
        let coverage = fit.coverage
        let (bands, sectors) = (SphereCoverage.bands, SphereCoverage.sectors)
        let words = "directions seen: \(coverage.filledCount) of \(SphereCoverage.sectionCount) sections of one size"
        svg.text(words, x: x, y: y - 12, size: 13, weight: "bold")
        let most = Double(max(1, coverage.counts.max() ?? 1))
        let (cellWidth, cellHeight) = (width / Double(sectors), height / Double(bands))
        for (index, count) in coverage.counts.enumerated() {
            let (band, sector) = index.quotientAndRemainder(dividingBy: sectors)
            let (left, top) = (x + Double(sector) * cellWidth, y + height - Double(band + 1) * cellHeight)
            svg.area(
                "M\(SVGText.number(left + 1)) \(SVGText.number(top + 1))h\(SVGText.number(cellWidth - 2))"
                    + "v\(SVGText.number(cellHeight - 2))h\(SVGText.number(2 - cellWidth))Z",
                fill: count == 0 ? "#eeeeee" : Colour.sample,
                opacity: count == 0 ? 1 : 0.25 + 0.65 * (Double(count) / most).squareRoot())
            let (middle, base) = (left + cellWidth / 2, top + cellHeight / 2 + 4)
            if count > 0 { svg.text("\(count)", x: middle, y: base, size: 11, anchor: "middle", fill: "#ffffff") }
        }
        for (part, name) in [(0.0, "+x"), (0.25, "+y"), (0.5, "-x"), (0.75, "-y"), (1, "+x")] {
            svg.text(name, x: x + part * width, y: y + height + 18, size: 12, anchor: "middle")
        }
        svg.text("+z", x: x - 10, y: y + 10, size: 12, anchor: "end")
        svg.text("-z", x: x - 10, y: y + height, size: 12, anchor: "end")
    }

    // MARK: Residuals

    private func drawResiduals(x: Double, y: Double, width: Double, height: Double, _ svg: inout SVGText) {
        svg.text("what is left of each sample, µT, in order", x: x, y: y - 12, size: 13, weight: "bold")
        let reach = max(4 * fit.noise, 0.1)
        for part in [-1.0, -0.5, 0, 0.5, 1] {
            let height = y + (1 - part) / 2 * height
            let stroke = part == 0 ? Colour.axis : Colour.grid
            svg.line(x1: x, y1: height, x2: x + width, y2: height, stroke: stroke, width: 1)
            svg.text(SVGText.number(part * reach), x: x - 8, y: height + 4, size: 11, anchor: "end")
        }
        let step = max(1, samples.count / CompassPicture.maximumSamples)
        for index in stride(from: 0, to: fit.residuals.count, by: step) {
            // A residual beyond the frame is drawn at the frame's edge.
            let share = min(1, max(-1, fit.residuals[index] / reach))
            svg.circle(
                x: x + width * (Double(index) + 0.5) / Double(fit.residuals.count), y: y + (1 - share) / 2 * height,
                radius: 2, fill: fit.isOutlier[index] ? Colour.outlier : Colour.sample, opacity: 0.7)
        }
        svg.text("red: taken for wrong", x: x + width, y: y - 12, size: 12, anchor: "end", fill: Colour.outlier)
    }
}
