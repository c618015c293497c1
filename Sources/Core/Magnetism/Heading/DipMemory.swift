/// The dip that the board has seen lately, for where no world model tells it.
///
/// It cannot tell a disturbance that was there from the beginning, but one that comes or goes. One that stays becomes what
/// the dip is, and by how much that differs from before is remembered.
struct DipMemory: Sendable {
    private var average = 0.0
    /// Seconds that the average is over.
    private var age = 0.0
    /// Seconds for which something has been wrong.
    private var doubtSeconds = 0.0
    /// The dip before the first disturbance that stayed; degrees.
    private var original: Double?

    /// Degrees below the horizontal; nil until it has been seen for a while.
    var inclination: Double? { age >= DipMemory.learning ? average : nil }

    private static let learning = 5.0
    private static let timeConstant = 120.0
    /// Seconds of disturbance after which what was seen before is no better than what is seen now.
    private static let patience = 60.0

    /// By how many degrees the dip differs from the one before disturbances that stayed.
    ///
    /// - Parameter now: What was measured, where nothing has been seen for a while; degrees.
    func shift(_ now: Double) -> Double { original.map { abs((inclination ?? now) - $0) } ?? 0 }

    /// The dip is known to be right.
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
        // A long gap is no time in which it was seen.
        let seen = min(seconds, 1)
        age = min(DipMemory.timeConstant, age + seen)
        average += (age > 0 ? min(1, seen / age) : 1) * (inclination - average)
    }
}
