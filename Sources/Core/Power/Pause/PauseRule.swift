/// When reports of one kind of activity pause, and what ends that.
///
/// Core Location publishes no rule; these are Sextant's own, of `spec/power.md` section 5. Times in nanoseconds.
struct PauseRule {
    /// How long the accelerometer must be quiet; nil where it does not count: swell and engines never rest.
    var quietAfter: Int64?
    /// How long the positions must stay within `radius` of each other where no accelerometer says anything.
    var restingAfter: Int64
    /// Metres.
    var radius: Double
    /// Metres per second over ground that end a pause.
    var resumeSpeed: Double?

    private static let minute: Int64 = 60_000_000_000

    init(_ activity: ActivityType) {
        switch activity {
        case .fitness: self.init(quiet: 3, resting: 5, radius: 25, resumeSpeed: nil)
        // Traffic lights and jams are shorter.
        case .automotiveNavigation: self.init(quiet: 10, resting: 10, radius: 50, resumeSpeed: 3)
        case .otherNavigation: self.init(quiet: nil, resting: 15, radius: 50, resumeSpeed: nil)
        case .other: self.init(quiet: 15, resting: 15, radius: 50, resumeSpeed: nil)
        case .airborne: self.init(quiet: nil, resting: 20, radius: 50, resumeSpeed: Hovering.speedLimit)
        }
    }

    private init(quiet: Int64?, resting: Int64, radius: Double, resumeSpeed: Double?) {
        quietAfter = quiet.map { $0 * PauseRule.minute }
        restingAfter = resting * PauseRule.minute
        self.radius = radius
        self.resumeSpeed = resumeSpeed
    }

    /// How long no usable position may come, for every activity.
    static let noFixAfter = 15 * minute
    /// How long movement must last to end a pause.
    static let movingFor: Int64 = 3_000_000_000
    /// How long a probe looks for a position.
    static let probeFor = 2 * minute
    /// From a pause's beginning to its first probe; each further one comes after twice the time, up to `longest`.
    ///
    /// Where there was no position, looking is all that can find one, so it is done sooner.
    static func probeIntervals(after reason: PauseReason) -> (first: Int64, longest: Int64) {
        switch reason {
        case .still: (30 * minute, 120 * minute)
        case .noFix: (5 * minute, 60 * minute)
        }
    }
}
