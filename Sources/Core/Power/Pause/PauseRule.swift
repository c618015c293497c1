/// The times and limits at which reports of one kind of activity pause and resume.
///
/// Core Location publishes no rule; these are Sextant's own. Times are in nanoseconds.
struct PauseRule {
    /// The nanoseconds for which the accelerometer must be quiet before reports pause; nil for vehicles other than
    /// cars, where it is ignored because swell and engines never let it rest.
    var quietAfter: Int64?
    /// The nanoseconds for which the positions must stay within `radius` of each other before reports pause, where no
    /// accelerometer is used.
    var restingAfter: Int64
    /// Metres within which positions count as one place.
    var radius: Double
    /// Speed over ground in metres per second that ends a pause; nil where no speed does.
    var resumeSpeed: Double?

    private static let minute: Int64 = 60_000_000_000

    init(_ activity: ActivityType) {
        switch activity {
        case .fitness: self.init(quiet: 3, resting: 5, radius: 25, resumeSpeed: nil)
        // A car must rest for ten minutes, because stops at traffic lights and in jams are shorter.
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

    /// The nanoseconds for which usable positions must be missing before reports pause, for every activity.
    static let noFixAfter = 15 * minute
    /// The nanoseconds for which the accelerometer must report movement to end a pause.
    static let movingFor: Int64 = 3_000_000_000
    /// The nanoseconds for which a probe (a fix during a pause) looks for a position.
    static let probeFor = 2 * minute
    /// The nanoseconds from a pause's beginning to its first probe (a fix that shows if the board moved); the time
    /// doubles for each further probe, up to `longest`.
    ///
    /// After a pause for lack of a position, only a search can find one, so probes come sooner.
    static func probeIntervals(after reason: PauseReason) -> (first: Int64, longest: Int64) {
        switch reason {
        case .still: (30 * minute, 120 * minute)
        case .noFix: (5 * minute, 60 * minute)
        }
    }
}
