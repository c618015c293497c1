import Glibc
import SextantUnits

/// A closed course through a rectangular grid of streets: straights joined by quarter circles.
struct DriveCourse: Sendable {
    /// A position and direction on the course, in metres from the start and radians from true north.
    struct Pose {
        var east: Double
        var north: Double
        var heading: Double
    }

    /// A part of the course: a straight (curvature 0) or a turn.
    struct Piece: Sendable {
        var startDistance: Double
        var length: Double
        var start: Pose
        /// The curvature in radians per metre, positive for a turn to the right.
        var curvature: Double

        func pose(at distance: Double) -> Pose {
            let along = distance - startDistance
            guard curvature != 0 else {
                return Pose(
                    east: start.east + along * sin(start.heading),
                    north: start.north + along * cos(start.heading),
                    heading: start.heading
                )
            }
            let heading = start.heading + along * curvature
            return Pose(
                east: start.east - (cos(heading) - cos(start.heading)) / curvature,
                north: start.north + (sin(heading) - sin(start.heading)) / curvature,
                heading: heading
            )
        }
    }

    static let turnRadius = 10.0
    private static let shortestLeg = 110.0
    private static let blocks = 110.0...650.0
    private static let legPairs = 9

    let pieces: [Piece]

    init(random: inout SplitMix64) {
        let across = Self.closedLegs(random: &random)
        let along = Self.closedLegs(random: &random)
        let gridHeading = random.next(in: 0...(2 * .pi))
        var legs: [(length: Double, heading: Double)] = []
        for index in across.indices {
            legs.append((abs(across[index]), gridHeading + (across[index] < 0 ? .pi : 0)))
            legs.append((abs(along[index]), gridHeading + .pi / 2 + (along[index] < 0 ? .pi : 0)))
        }
        pieces = Self.pieces(of: legs)
    }

    func pose(at distance: Double) -> Pose {
        let index = pieces.lastIndex { $0.startDistance <= distance } ?? 0
        return pieces[index].pose(at: distance)
    }

    /// Random lengths in metres of the legs along one axis of the grid, with a sign for their direction; their sum is
    /// zero, and no leg is shorter than `shortestLeg`.
    private static func closedLegs(random: inout SplitMix64) -> [Double] {
        while true {
            var legs: [Double] = []
            for _ in 1..<legPairs {
                let length = random.next(in: blocks)
                legs.append(random.nextUnit() < 0.5 ? length : -length)
            }
            let closing = -legs.reduce(0, +)
            guard abs(closing) >= shortestLeg, abs(closing) <= 2 * blocks.upperBound else { continue }
            return legs + [closing]
        }
    }

    /// Joins the legs (straight stretches) by turns; the course starts and ends in the middle of the first leg.
    private static func pieces(of legs: [(length: Double, heading: Double)]) -> [Piece] {
        var pieces: [Piece] = []
        var pose = Pose(east: 0, north: 0, heading: legs[0].heading)
        var distance = 0.0
        func add(length: Double, curvature: Double) {
            let piece = Piece(startDistance: distance, length: length, start: pose, curvature: curvature)
            pieces.append(piece)
            distance += length
            pose = piece.pose(at: distance)
        }
        for index in legs.indices {
            let share = index == 0 ? legs[0].length / 2 : legs[index].length - turnRadius
            add(length: share - turnRadius, curvature: 0)
            let next = legs[(index + 1) % legs.count].heading
            let isRight = sin(next - legs[index].heading) > 0
            add(length: turnRadius * .pi / 2, curvature: (isRight ? 1 : -1) / turnRadius)
        }
        add(length: legs[0].length / 2 - turnRadius, curvature: 0)
        return pieces
    }
}
