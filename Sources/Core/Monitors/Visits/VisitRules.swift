/// The numbers by which the visit monitor decides.
///
/// They come from trials on synthetic days of many kinds; `sextant-benchmark visits` repeats them.
enum VisitRules {
    /// The shortest time in seconds between fixes that are used; closer fixes have the same errors.
    static let spacing = 4.5
    /// The largest 68 % radius, in metres, of a fix that is used; a larger one says nothing about places.
    static let worstAccuracy = 300.0
    /// Seconds without a fix after which a rest that began is taken to go on indoors.
    static let silence = 330.0
    /// Seconds of fixes at one place that are enough for a rest.
    static let leastRest = 24.0
    /// The highest speed, in metres per second, at which the board counts as at rest.
    static let restSpeed = 0.6
    /// Seconds by which a fix can be late; an older one suggests that the clock was set back.
    static let longestDelay = 60.0
    /// After this many fixes in a row that are too late, the clock counts as set back.
    static let clockChange = 20

    /// Seconds between two saved records while the board travels.
    static let saving = 300.0

    /// The factor by which a deviation that a receiver states is increased, because receivers state too small ones.
    static let claimFactor = 1.4
    /// The radius of a place in standard deviations of its fixes.
    static let radiusPerSpread = 3.0
    /// The largest radius of a place in metres, however much its fixes scatter.
    static let widestRadius = 75.0
    /// The radius in metres of a place that people walk about in.
    static let wideRadius = 180.0
    /// If the board is near a place, but not at it, and rests nowhere for this many seconds, the place is taken to be a wide
    /// one, within which people move about.
    static let longestDoubt = 480.0
    /// Seconds of rest elsewhere that show that a place was left, unless the shortest visit is shorter.
    static let otherRest = 300.0
    /// Seconds within the radius of a wide place, and at rest nowhere, that make a stay.
    static let wideStay = 720.0
    /// The largest distance in metres between the middles of a wide stay's first and second half; travel goes farther.
    static let wideDrift = 60.0
    /// The confidence in a stay at a place that people walk about in.
    static let wideConfidence = 0.6
    /// The speeds of a walk and of the mean ride in metres per second, and the longest distance in metres of a walk.
    static let walk = 1.3
    static let ride = 8.0
    static let longestWalk = 1000.0
    /// A step from one rest to another nearby that is faster than this, in metres per second, is a receiver's error.
    static let leapSpeed = 3.0
    /// Fixes that stay slower than this, in metres per second, all the way are a receiver's drift, not travel.
    static let creepSpeed = 0.6
    /// The longest time in seconds that a receiver's drift lasts.
    static let longestDrift = 510.0
    /// The distance in metres that no jump of a receiver reaches.
    static let farthestJump = 300.0
    /// A receiver's jump lasts for fewer fixes in a row than this.
    static let longestJump = 7
    /// A move faster than this, in metres per second, is not accepted at once.
    static let fastest = 90.0
    /// Seconds without a fix that count as a pause.
    static let pause = 240.0
    /// The longest time in seconds between two fixes that count as dense.
    static let dense = 75.0
    /// The largest distance in metres between the fixes around a pause that are at one place outside the stay.
    static let otherPlace = 100.0
    /// The largest distance in metres between the fixes before and after a pause that are at one place.
    static let pauseRadius = 150.0
    /// The longest pause in seconds across which fixes still belong to one stay.
    static let longestPause = 172_800.0
}
