internal import SextantUnits

/// The limits for commands from the broker: one in 10 s on average, at most 5 at once, and none once the uplink has
/// used the energy that it is allowed to use in a day.
struct CommandGate: Sendable {
    private static let burst = 5.0
    private static let secondsEach = 10.0
    private static let secondsOfDay = 86_400.0

    private var ids = BoundedList<String>(limit: 1000)
    private var tokens = CommandGate.burst
    private var filled = MonotonicInstant.zero
    private var dayBegan: MonotonicInstant?
    private var atDayBegin = 0.0
    private var spent = 0.0

    /// Whether a command with this id was obeyed before.
    func knows(_ id: String) -> Bool { ids.contains(id) }

    mutating func remember(_ id: String) { ids.append(id) }

    /// Stores the energy in joules that the uplink has cost the board since the daemon started.
    mutating func didSpend(_ joules: Double, at now: MonotonicInstant) {
        let isNewDay = dayBegan.map { now >= $0.advanced(bySeconds: CommandGate.secondsOfDay) } ?? true
        // The daemon counts the joules from its own start, so the count becomes smaller only when the daemon has
        // restarted.
        if isNewDay || joules < atDayBegin { (dayBegan, atDayBegin) = (now, isNewDay ? joules : 0) }
        spent = joules - atDayBegin
    }

    /// Why a command is refused at this moment; nil if it is obeyed.
    mutating func admit(joules: Double, at now: MonotonicInstant) -> String? {
        let seconds = Double(now.nanoseconds(since: filled)) / 1e9
        tokens = min(CommandGate.burst, tokens + seconds / CommandGate.secondsEach)
        filled = now
        guard spent < joules else { return "the uplink has cost as much energy today as commandJoules allows" }
        guard tokens >= 1 else { return "too many commands: one in 10 s is obeyed" }
        tokens -= 1
        return nil
    }
}
