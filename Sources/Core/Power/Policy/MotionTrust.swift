/// The reliability of the motion sensor, judged by fixes.
///
/// A sensor that feels nothing would miss a whole drive, and one that never falls quiet would never let the receiver
/// sleep for long; a board with such a sensor is treated as one without, until the sensor works again.
struct MotionTrust: Sendable, Equatable {
    /// The number of movements in a row that the sensor did not report.
    private var missed = 0
    private(set) var isDeaf = false
    private(set) var isRestless = false

    /// The number of movements in a row that a sensor must miss to count as deaf; for a sensor that has never worked,
    /// one is enough.
    private static let missesUntilDeaf = 2
    /// Seconds for which the sensor must feel motion while fixes show rest before it counts as restless.
    private static let restlessAfter = 900.0

    /// Takes a displacement of the board that is too large to be noise; `isNoticed` tells if the sensor reported
    /// movement.
    mutating func moved(isNoticed: Bool, hasEverNoticed: Bool) {
        guard !isNoticed else {
            missed = 0
            isDeaf = false
            return
        }
        missed += 1
        if missed >= (hasEverNoticed ? MotionTrust.missesUntilDeaf : 1) { isDeaf = true }
    }

    /// Takes a fix at rest, while the sensor has felt motion for `busy` seconds and fixes have shown rest for `rest`
    /// seconds.
    mutating func rested(busy: Double, rest: Double) {
        if min(busy, rest) >= MotionTrust.restlessAfter { isRestless = true }
    }

    mutating func fellQuiet() { isRestless = false }
}
