/// The numbers that the monitor of visits goes by.
///
/// They come from trials on synthetic days of many kinds; `sextant-benchmark visits` repeats them.
enum VisitRules {
    /// Seconds: of fixes that come more often some are left out, for their errors are the same.
    static let spacing = 4.5
    /// Metres of 68 % radius beyond which a fix says nothing of places.
    static let worstAccuracy = 300.0
    /// Seconds without a fix after which a rest that began is taken to go on indoors.
    static let silence = 330.0
    /// Seconds of fixes at a place that a rest needs to be believed without more of them.
    static let leastRest = 24.0
    /// Metres per second at which nobody goes anywhere.
    static let restSpeed = 0.6
    /// Seconds that a fix may be late; an older one suggests that the clock was set back.
    static let longestDelay = 60.0
    /// After this many fixes in a row that are too late, the clock counts as set back.
    static let clockChange = 20

    /// Seconds between two records on the way.
    static let saving = 300.0

    /// What a receiver claims is too good by about so much.
    static let claimFactor = 1.4
    /// Standard deviations about a place's middle that are at the place.
    static let radiusPerSpread = 3.0
    /// Metres; however much fixes scatter, this far off is elsewhere.
    static let widestRadius = 75.0
    /// Metres of a place that is walked about in.
    static let wideRadius = 180.0
    /// Seconds near a place and not at it, and at rest nowhere, after which the place is taken to be wider.
    static let longestDoubt = 480.0
    /// Seconds of a rest near a place that say it was left, if they are no visit before; drifts are shorter.
    static let otherRest = 300.0
    /// Seconds within a wide place's radius, and at rest nowhere, that are a stay.
    static let wideStay = 720.0
    /// Metres at most between the middles of the first and second half of a wide stay; travel goes farther.
    static let wideDrift = 60.0
    /// How sure a stay is whose place is walked about in.
    static let wideConfidence = 0.6
    /// Metres per second of a walk and of the mean ride, and the longest distance in metres that counts as a walk.
    static let walk = 1.3
    static let ride = 8.0
    static let longestWalk = 1000.0
    /// Metres per second above which a step from one rest to another near by is a receiver's error.
    static let leapSpeed = 3.0
    /// Metres per second; fixes that stay slower than this all the way are a drift, not travel.
    static let creepSpeed = 0.6
    /// Seconds that a receiver's drift lasts at most.
    static let longestDrift = 510.0
    /// Metres that no jump of a receiver reaches.
    static let farthestJump = 300.0
    /// Fixes in a row; a receiver's jump lasts for fewer.
    static let longestJump = 7
    /// Metres per second above which a move is not believed at once.
    static let fastest = 90.0
    /// Seconds without a fix that are a pause.
    static let pause = 240.0
    /// Seconds between two fixes that leave nothing to be guessed.
    static let dense = 75.0
    /// Metres between a fix before a pause and one after it that are at one place elsewhere.
    static let otherPlace = 100.0
    /// Metres that two fixes about a pause may be apart and be of one place.
    static let pauseRadius = 150.0
    /// Seconds: a first fix from longer ago is of another time.
    static let longestPause = 172_800.0
}
