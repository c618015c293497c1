/// How a synthetic day is measured, and what is hard about it.
public struct VisitRegime: Sendable {
    public var name: String
    /// Seconds between two fixes.
    public var interval = 5.0
    /// Whether the interval is anything from a second to this one.
    public var isIrregular = false
    /// One standard deviation of either axis at a place, correlated over 120 s; metres.
    public var deviation = 12.0
    /// The share of long stays without fixes indoors.
    public var indoorLoss = 0.35
    /// Whether fixes are lost from the arrival to the departure, not from some minutes after to some before.
    public var isLostAtTheDoor = false
    /// Metres from work to the place where lunch is had.
    public var neighbour = 180.0
    /// Metres from the middle of a site that is walked about in; nil where all stays are still.
    public var siteRadius: Double?
    /// Whether one drive goes through a jam.
    public var hasJam = false
    /// Whether there are stays of 4 minutes besides, and some of 6.
    public var hasThreshold = false
    /// Whether at rest there is a fix an hour.
    public var isDutyCycled = false
    /// How many fixes after a long pause are at where the receiver was the day before.
    public var wrongStart = 0
    /// Whether the receiver is off from ten in the evening to seven.
    public var isOffAtNight = false
    /// How often an hour at a place fixes are off by 50 to 120 m for 1 to 5 minutes.
    public var episodes = 0.0
    /// How many days in a row.
    public var days = 1

    public init(_ name: String, _ change: (inout VisitRegime) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// The three that are held to a bar, then harder ones.
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
