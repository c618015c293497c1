/// The numbers by which the visit monitor decides.
///
/// They come from trials on synthetic days of many kinds; `sextant-benchmark visits` repeats them.
enum VisitRules {
    /// The least seconds between fixes that are used; closer fixes have the same errors.
    static let spacing = 4.5
    /// Metres of 68 % radius beyond which a fix says nothing of places.
    static let worstAccuracy = 300.0
    /// Seconds without a fix after which a rest that began is taken to go on indoors.
    static let silence = 330.0
    /// Seconds of fixes at a place that a rest needs to be believed without more of them.
    static let leastRest = 24.0
    /// Metres per second up to which the board counts as at rest.
    static let restSpeed = 0.6
    /// Seconds that a fix may be late; an older one suggests that the clock was set back.
    static let longestDelay = 60.0
    /// After this many fixes in a row that are too late, the clock counts as set back.
    static let clockChange = 20

    /// Seconds between two records on the way.
    static let saving = 300.0

    /// The factor by which a receiver's claimed accuracy is about too good.
    static let claimFactor = 1.4
    /// The radius of a place in standard deviations of its fixes.
    static let radiusPerSpread = 3.0
    /// The largest radius of a place in metres, however much its fixes scatter.
    static let widestRadius = 75.0
    /// The radius in metres of a place that people walk about in.
    static let wideRadius = 180.0
    /// Seconds near a place and not at it, and at rest nowhere, after which the place is taken to be wider.
    static let longestDoubt = 480.0
    /// Seconds of rest elsewhere that show that a place was left, unless the shortest visit is shorter.
    static let otherRest = 300.0
    /// Seconds within a wide place's radius, and at rest nowhere, that are a stay.
    static let wideStay = 720.0
    /// Metres at most between the middles of the first and second half of a wide stay; travel goes farther.
    static let wideDrift = 60.0
    /// The confidence in a stay at a place that people walk about in.
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
    /// Seconds without a fix that count as a pause.
    static let pause = 240.0
    /// The most seconds between two fixes that count as dense.
    static let dense = 75.0
    /// The most metres between the fixes before and after a pause for both to be at the same place outside the stay.
    static let otherPlace = 100.0
    /// The most metres between fixes before and after a pause that are at one place.
    static let pauseRadius = 150.0
    /// The longest pause in seconds across which fixes still belong to one stay.
    static let longestPause = 172_800.0
}
