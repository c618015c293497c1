/// The conditions of a synthetic day: how often and how well positions are measured, and what makes the day difficult.
public struct VisitRegime: Sendable {
    public var name: String
    /// Seconds between two fixes.
    public var interval = 5.0
    /// Whether the time between two fixes varies from one second to `interval`.
    public var isIrregular = false
    /// The standard deviation of the drift on each axis at a place, in metres; the drift is correlated over 120 s.
    public var deviation = 12.0
    /// The share of long stays indoors that have no fixes.
    public var indoorLoss = 0.35
    /// Whether indoor losses last from arrival to departure; if false, they begin minutes after and end minutes before.
    public var isLostAtTheDoor = false
    /// The distance in metres from work to the place of the lunch break.
    public var neighbour = 180.0
    /// The radius in metres of a site on which the person walks about; nil if the person rests at all places.
    public var siteRadius: Double?
    /// Whether one drive passes through a traffic jam.
    public var hasJam = false
    /// Whether there are also stops of 4 minutes and stays of about 6 minutes, near the length of the shortest visit.
    public var hasThreshold = false
    /// Whether the receiver takes only one fix an hour at rest.
    public var isDutyCycled = false
    /// The number of fixes after a long pause that are at a wrong place, which the receiver remembers from earlier.
    public var wrongStart = 0
    /// Whether the receiver is off from ten in the evening to seven in the morning.
    public var isOffAtNight = false
    /// The rate, per hour at a place, of episodes of 1 to 5 minutes in which fixes are off by 50 to 120 m.
    public var episodes = 0.0
    /// The number of consecutive days.
    public var days = 1

    public init(_ name: String, _ change: (inout VisitRegime) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// All regimes: the first three must reach a required score, the others are harder.
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
