internal import Units

/// How far the motion sensor's word can be relied on, by what fixes show of it.
///
/// A sensor that feels nothing would let a whole drive pass unseen, and one that never rests would never let the receiver
/// sleep for long; both are then treated as a board without a sensor until they mend.
struct MotionTrust: Sendable, Equatable {
    /// Movements in a row of which the sensor told nothing.
    private var missed = 0
    private(set) var isDeaf = false
    private(set) var isRestless = false

    /// Missed movements in a row after which a sensor that worked before counts as deaf; one that has never worked needs
    /// one.
    private static let patience = 2
    /// Seconds for which the sensor must feel motion while fixes show rest.
    private static let restlessAfter = 900.0

    /// Takes a displacement that noise does not explain.
    mutating func moved(isNoticed: Bool, hasEverNoticed: Bool) {
        guard !isNoticed else {
            missed = 0
            isDeaf = false
            return
        }
        missed += 1
        if missed >= (hasEverNoticed ? MotionTrust.patience : 1) { isDeaf = true }
    }

    /// Takes a fix at rest, while the sensor has felt motion for `busy` seconds and fixes have shown rest for `rest`.
    mutating func rested(busy: Double, rest: Double) {
        if min(busy, rest) >= MotionTrust.restlessAfter { isRestless = true }
    }

    mutating func fellQuiet() { isRestless = false }
}
