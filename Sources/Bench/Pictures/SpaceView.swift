internal import SextantUnits

/// A view of space from the side and above, without perspective.
struct SpaceView {
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    /// The distance from the middle that is visible in each direction, in the unit of the points.
    let reach: Double

    private let right: SIMD3<Double>
    private let up: SIMD3<Double>
    private let towards: SIMD3<Double>

    /// The azimuth of the viewer about the z axis, in degrees.
    private static let azimuth = 25.0
    /// The elevation of the viewer above the plane of x and y, in degrees.
    private static let elevation = 22.0
    /// The number of corners of the polygon that is drawn for a circle.
    private static let corners = 72

    init(x: Double, y: Double, width: Double, height: Double, reach: Double) {
        (self.x, self.y, self.width, self.height, self.reach) = (x, y, width, height, reach)
        let turn = Trigonometry.sineAndCosine(SpaceView.azimuth / Trigonometry.degreesPerRadian)
        let tilt = Trigonometry.sineAndCosine(SpaceView.elevation / Trigonometry.degreesPerRadian)
        right = SIMD3(-turn.sine, turn.cosine, 0)
        up = SIMD3(-tilt.sine * turn.cosine, -tilt.sine * turn.sine, tilt.cosine)
        towards = SIMD3(tilt.cosine * turn.cosine, tilt.cosine * turn.sine, tilt.sine)
    }

    private var scale: Double { min(width, height) / (2 * reach) }

    func place(_ point: SIMD3<Double>) -> (x: Double, y: Double) {
        (x + width / 2 + scale * (point * right).sum(), y + height / 2 - scale * (point * up).sum())
    }

    /// The nearness of a point to the viewer; a greater value is nearer.
    func depth(_ point: SIMD3<Double>) -> Double { (point * towards).sum() }

    /// The distance between two lines of the grid: 1, 2 or 5 times a power of ten, for about five lines on each side.
    var gridStep: Double {
        let wanted = reach / 5
        var power = 1.0
        while power * 10 <= wanted { power *= 10 }
        return power * (wanted >= 5 * power ? 5 : wanted >= 2 * power ? 2 : 1)
    }

    /// The outline of a sphere, its equator and two meridians.
    func circles(about center: SIMD3<Double>, radius: Double) -> [(path: String, isOutline: Bool)] {
        let axes = [
            (right, up), (SIMD3(1.0, 0, 0), SIMD3(0.0, 1, 0)), (SIMD3(1, 0, 0), SIMD3(0, 0, 1)),
            (SIMD3(0, 1, 0), SIMD3(0, 0, 1)),
        ]
        return axes.enumerated().map { index, plane in
            var path = ""
            for corner in 0..<SpaceView.corners {
                let (sine, cosine) = Trigonometry.sineAndCosine(2 * .pi * Double(corner) / Double(SpaceView.corners))
                let place = place(center + radius * (cosine * plane.0 + sine * plane.1))
                path += "\(corner == 0 ? "M" : "L")\(SVGText.number(place.x)) \(SVGText.number(place.y))"
            }
            return (path + "Z", index == 0)
        }
    }
}
