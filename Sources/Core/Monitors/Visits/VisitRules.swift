/// The numbers by which the visit monitor decides.
///
/// They were chosen on simulated days of many kinds; `sextant-benchmark visits` runs these again.
enum VisitRules {
    /// The shortest time in seconds between two fixes that are used; fixes closer in time have nearly the same errors.
    static let spacing = 4.5
    /// The largest 68 % radius, in metres, of a fix that is used; a larger one says nothing about places.
    static let worstAccuracy = 300.0
    /// Seconds without a fix after which a rest that has begun is assumed to go on indoors.
    static let silence = 330.0
    /// The shortest time in seconds, from the first to the last of successive fixes at one place, that counts as a
    /// rest.
    static let minimumRest = 24.0
    /// The highest speed, in metres per second, at which the board counts as at rest.
    static let restSpeed = 0.6
    /// The most seconds by which a fix's time can be before that of the newest fix; a still earlier time suggests that
    /// the clock was set back.
    static let longestDelay = 60.0
    /// After this many fixes in a row whose times are more than `longestDelay` too early, the clock counts as set back.
    static let clockChange = 20

    /// Seconds between two saved records while no stay is reported, or while the board seems to have left the reported
    /// one.
    static let saving = 300.0

    /// The factor by which a receiver's stated standard deviation is increased, because receivers state too small ones.
    static let claimFactor = 1.4
    /// The radius of a place as a multiple of the standard deviation of its fixes.
    static let radiusPerSpread = 3.0
    /// The largest radius of a place in metres, however much its fixes scatter.
    static let widestRadius = 75.0
    /// The radius in metres of a place that people walk about in.
    static let wideRadius = 180.0
    /// If the board is near a place, but not at it, and rests nowhere for this many seconds, the place is taken to be a wide
    /// one, within which people move about.
    static let longestDoubt = 480.0
    /// A rest elsewhere for this many seconds, or for the length of the shortest visit if that is less, shows that a
    /// place was left.
    static let otherRest = 300.0
    /// Seconds for which the board must be within the radius of a wide place (one within which people walk about, such
    /// as a park), without any rest, for a stay.
    static let wideStay = 720.0
    /// The largest distance in metres between the mean positions of the first and the second half of a walk about a
    /// place; travel goes farther.
    static let wideDrift = 60.0
    /// The confidence, from 0 to 1, in a stay at a place that people walk about in.
    static let wideConfidence = 0.6
    /// The usual speeds of a walk and of a ride in metres per second, and the longest distance in metres of a walk.
    static let walk = 1.3
    static let ride = 8.0
    static let longestWalk = 1000.0
    /// A step between two fixes that is faster than this, in metres per second, can be a receiver's error instead of a
    /// move.
    static let leapSpeed = 3.0
    /// If all steps between fixes are slower than this, in metres per second, the fixes show a receiver's drift, not
    /// travel.
    static let creepSpeed = 0.6
    /// The longest time in seconds that a receiver's drift lasts.
    static let longestDrift = 510.0
    /// The largest distance in metres by which a receiver's position jumps by error, except just after the receiver's
    /// start.
    static let farthestJump = 300.0
    /// This many fixes in a row at another place show a real move, since a receiver's error jump lasts for fewer.
    static let longestJump = 7
    /// A move that is faster than this, in metres per second, counts as a departure only after 7 fixes and 180 s.
    static let fastest = 90.0
    /// The least number of seconds without a fix that counts as a pause.
    static let pause = 240.0
    /// The longest time in seconds between two fixes from which the board's speed is computed.
    static let dense = 75.0
    /// The largest distance in metres from the fix before a pause to the fix after it, for both to be at one place
    /// outside the stay.
    static let otherPlace = 100.0
    /// The largest distance in metres from the fix before a pause to the fix after it, for the pause to be a stay at
    /// one place.
    static let pauseRadius = 150.0
    /// The longest pause in seconds across which fixes still belong to one stay.
    static let longestPause = 172_800.0
}
