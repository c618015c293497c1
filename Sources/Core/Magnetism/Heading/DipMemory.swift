/// The field's average dip of the last two minutes, used as the expected dip where no world model gives one.
///
/// A disturbance is detected as a change from this average, so one that exists from the beginning cannot be detected.
/// If a disturbance stays, the disturbed dip becomes the new average, and the difference from the earlier dip is
/// remembered.
struct DipMemory: Sendable {
    private var average = 0.0
    /// How many seconds of samples have gone into the average, counted up to its time constant.
    private var age = 0.0
    /// Seconds for which the field has been disturbed.
    private var doubtSeconds = 0.0
    /// The dip before the first disturbance that stayed; degrees.
    private var original: Double?

    /// The average dip in degrees below the horizontal; nil until it covers `learning` seconds of samples.
    var inclination: Double? { age >= DipMemory.learning ? average : nil }

    private static let learning = 5.0
    private static let timeConstant = 120.0
    /// Seconds of disturbance after which the disturbed dip is learnt as the new one.
    private static let maximumDoubtSeconds = 60.0

    /// Degrees by which the average dip differs from the dip before the first disturbance that stayed; 0 if none
    /// stayed.
    ///
    /// - Parameter now: The dip measured now, used while there is no average; degrees.
    func shift(_ now: Double) -> Double { original.map { abs((inclination ?? now) - $0) } ?? 0 }

    /// Takes the present dip for the Earth's own, and forgets the dip before the first disturbance.
    mutating func confirm() { original = nil }

    private mutating func restart() {
        let before = original ?? inclination
        self = DipMemory()
        original = before
    }

    mutating func update(_ inclination: Double, isDisturbed: Bool, seconds: Double) {
        guard !isDisturbed else {
            doubtSeconds += min(seconds, 1)
            if doubtSeconds > DipMemory.maximumDoubtSeconds { restart() }
            return
        }
        doubtSeconds = 0
        // A gap between two samples counts at most 1 s as observed.
        let seen = min(seconds, 1)
        age = min(DipMemory.timeConstant, age + seen)
        average += (age > 0 ? min(1, seen / age) : 1) * (inclination - average)
    }
}
