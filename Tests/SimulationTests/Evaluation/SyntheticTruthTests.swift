import Simulation
import Testing

@Suite("SyntheticTruth") struct SyntheticTruthTests {
    /// A trajectory with what its kind may do at most; metres and seconds.
    struct Kind: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var trajectory: @Sendable (UInt64) -> [TruthPoint]
        var speed: ClosedRange<Double>
        var acceleration: Double
        var kilometres: ClosedRange<Double>
        var hours: ClosedRange<Double>
        var moving: ClosedRange<Double>
    }

    static let kinds = [
        Kind(
            testDescription: "daily life", trajectory: SyntheticTruth.dailyLife, speed: 1...38, acceleration: 3.5,
            kilometres: 1...140, hours: 24...24, moving: 0.01...0.3),
        Kind(
            testDescription: "bicycle ride", trajectory: SyntheticTruth.bicycleRide, speed: 6...10.6, acceleration: 2.8,
            kilometres: 18...75, hours: 0.8...4.5, moving: 0.5...1),
        Kind(
            testDescription: "hike", trajectory: SyntheticTruth.hike, speed: 1...1.7, acceleration: 2.2,
            kilometres: 6...24, hours: 2...9, moving: 0.4...1),
        Kind(
            testDescription: "drive", trajectory: SyntheticTruth.drive, speed: 13...38, acceleration: 3.5,
            kilometres: 11...90, hours: 0.2...2, moving: 0.5...1),
    ]

    private struct Figures {
        var fastest = 0.0
        var hardest = 0.0
        var metres = 0.0
        var moving = 0.0
        var hours = 0.0
    }

    private static func figures(_ points: [TruthPoint]) throws -> Figures {
        let truth = try TruthGrid(points)
        var figures = Figures()
        var velocity = (east: 0.0, north: 0.0)
        for index in 1..<truth.count {
            let now = (
                east: truth.east[index] - truth.east[index - 1], north: truth.north[index] - truth.north[index - 1]
            )
            let speed = (now.east * now.east + now.north * now.north).squareRoot()
            let (east, north) = (now.east - velocity.east, now.north - velocity.north)
            figures.fastest = max(figures.fastest, speed)
            figures.hardest = max(figures.hardest, (east * east + north * north).squareRoot())
            figures.metres += speed
            figures.moving += speed > 0.1 ? 1 / Double(truth.count) : 0
            velocity = now
        }
        figures.hours = Double(truth.count) / 3600
        return figures
    }

    @Test(arguments: kinds, 1...4 as ClosedRange<UInt64>)
    func `each kind of movement has its own speeds and accelerations`(kind: Kind, seed: UInt64) throws {
        let points = kind.trajectory(seed)
        #expect(zip(points, points.dropFirst()).allSatisfy { $1.time - $0.time == 1 })
        let figures = try Self.figures(points)
        #expect(kind.speed.contains(figures.fastest))
        #expect(figures.hardest <= kind.acceleration)
        #expect(kind.kilometres.contains(figures.metres / 1000))
        #expect(kind.hours.contains(figures.hours))
        #expect(kind.moving.contains(figures.moving))
    }

    @Test(arguments: kinds)
    func `the same seed gives the same trajectory, and another seed another`(kind: Kind) throws {
        #expect(kind.trajectory(7) == kind.trajectory(7))
        let lengths = try (1...4).map { try Self.figures(kind.trajectory(UInt64($0))).metres }.sorted()
        #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $1 > $0 })
        #expect(lengths[3] > lengths[0] * 1.25)
    }
}
