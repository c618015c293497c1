/// The field's recent dip, used where no world model gives it.
///
/// By the recent dip, only a disturbance that comes or goes can be detected, not one that exists from the beginning. If
/// a disturbance stays, the disturbed dip becomes the new reference, and the difference from the earlier dip is
/// remembered.
struct DipMemory: Sendable {
    private var average = 0.0
    /// The time that the average covers, in seconds.
    private var age = 0.0
    /// Seconds for which the field has been disturbed.
    private var doubtSeconds = 0.0
    /// The dip before the first disturbance that stayed; degrees.
    private var original: Double?

    /// The dip in degrees below the horizontal; nil until it has been seen for `learning` seconds.
    var inclination: Double? { age >= DipMemory.learning ? average : nil }

    private static let learning = 5.0
    private static let timeConstant = 120.0
    /// Seconds of disturbance after which the disturbed dip is learnt as the new one.
    private static let patience = 60.0

    /// Degrees by which the dip differs from the dip before the first disturbance that stayed.
    ///
    /// - Parameter now: The dip measured now, used while no average is known; degrees.
    func shift(_ now: Double) -> Double { original.map { abs((inclination ?? now) - $0) } ?? 0 }

    /// Notes that the present dip is the Earth's own, and forgets the dip before the first disturbance.
    mutating func confirm() { original = nil }

    private mutating func restart() {
        let before = original ?? inclination
        self = DipMemory()
        original = before
    }

    mutating func update(_ inclination: Double, isDisturbed: Bool, seconds: Double) {
        guard !isDisturbed else {
            doubtSeconds += min(seconds, 1)
            if doubtSeconds > DipMemory.patience { restart() }
            return
        }
        doubtSeconds = 0
        // Time without samples does not count as observed.
        let seen = min(seconds, 1)
        age = min(DipMemory.timeConstant, age + seen)
        average += (age > 0 ? min(1, seen / age) : 1) * (inclination - average)
    }
}
