/// The conditions of a synthetic day: how often and how well positions are measured, and what makes the day difficult.
public struct VisitRegime: Sendable {
    public var name: String
    /// Seconds between two fixes.
    public var interval = 5.0
    /// Whether the time between two fixes varies at random from one second to `interval`.
    public var isIrregular = false
    /// The standard deviation of the position's drift on each axis during a stay, in metres; the drift's correlation
    /// time is 120 s.
    public var deviation = 12.0
    /// The share of the stays of 20 minutes or more during which the receiver has no fix, 0 to 1.
    public var indoorLoss = 0.35
    /// Whether a loss of fixes indoors lasts from arrival to departure; if false, it begins up to ten minutes after the
    /// arrival and ends shortly before the departure.
    public var isLostAtTheDoor = false
    /// The distance in metres from work to the place of the lunch break.
    public var neighbour = 180.0
    /// The radius in metres of a site within which the person walks about in one of the visits; nil if the person rests
    /// during every visit.
    public var siteRadius: Double?
    /// Whether one drive passes through a traffic jam.
    public var hasJam = false
    /// Whether there are also a stop of 4 minutes and a stay of about 6 minutes, close to the 5 minutes that make a
    /// visit.
    public var hasThreshold = false
    /// Whether the receiver takes only one fix per hour while the person rests.
    public var isDutyCycled = false
    /// The number of fixes at a wrong place after a pause of more than ten minutes, as if the receiver remembered an
    /// old position.
    public var wrongStart = 0
    /// Whether the receiver is off from ten in the evening to seven in the morning.
    public var isOffAtNight = false
    /// The rate of episodes, per hour of stay, in which fixes are off by 50 to 120 m for 1 to 5 minutes.
    public var episodes = 0.0
    /// The number of consecutive days that are simulated.
    public var days = 1

    public init(_ name: String, _ change: (inout VisitRegime) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// All conditions under which visits are searched for: in the first three a required score must be reached, the
    /// others are harder.
    public static let all: [VisitRegime] = [
        VisitRegime("5 s"),
        VisitRegime("30 s") { $0.interval = 30 },
        VisitRegime("60 s, 20 m, 60 % lost") { ($0.interval, $0.deviation, $0.indoorLoss) = (60, 20, 0.6) },
        VisitRegime("1 s") { $0.interval = 1 },
        VisitRegime("25 m") { $0.deviation = 25 },
        VisitRegime("80 % lost") { $0.indoorLoss = 0.8 },
        VisitRegime("lost at the door") { ($0.indoorLoss, $0.isLostAtTheDoor) = (1, true) },
        VisitRegime("neighbour at 100 m") { $0.neighbour = 100 },
        VisitRegime("neighbour at 80 m") { $0.neighbour = 80 },
        VisitRegime("1 to 60 s") { ($0.interval, $0.isIrregular) = (60, true) },
        VisitRegime("one an hour at rest") { $0.isDutyCycled = true },
        VisitRegime("a site walked about") { $0.siteRadius = 120 },
        VisitRegime("a jam") { $0.hasJam = true },
        VisitRegime("4 and 6 minutes") { $0.hasThreshold = true },
        VisitRegime("wrong starts") { ($0.indoorLoss, $0.wrongStart) = (0.8, 4) },
        VisitRegime("three days, off at night") { ($0.days, $0.isOffAtNight) = (3, true) },
        VisitRegime("drift of minutes") { $0.episodes = 1 },
        VisitRegime("a logger, off indoors") {
            ($0.interval, $0.indoorLoss, $0.isLostAtTheDoor, $0.episodes) = (2, 0.7, true, 1)
        },
        VisitRegime("25 m, neighbour at 100 m") { ($0.deviation, $0.neighbour) = (25, 100) },
        VisitRegime("120 s") { $0.interval = 120 },
        VisitRegime("60 s, lost at the door") {
            ($0.interval, $0.indoorLoss, $0.isLostAtTheDoor) = (60, 0.6, true)
        },
    ]
}
