/// How accurate a run's locations were while the board moved and while the board rested.
///
/// A board rests for most of a day, and then the last location stays right under every policy. A share of all time
/// would therefore say little, so moving time and rest have separate figures. A second is violated if the last
/// delivered location is then farther from the truth than the requested accuracy. All figures count from the first
/// delivery on.
public struct MovingScore: Sendable, Hashable {
    /// The share of the trace's time that lies within bouts.
    public var movingShare: Double
    /// How many bouts of movement there are.
    public var bouts: Int
    /// The share of the bouts' time that is violated; nil without bouts.
    public var violatedMoving: Double?
    /// The share of the other time, at rest or in slow movement, that is violated; nil if there is no such time.
    public var violatedRest: Double?
    /// Quantiles, over the bouts, of the violated share of a bout; nil without bouts.
    public var boutP50: Double?
    public var boutP90: Double?
    /// The 90th percentile over the bouts of the time from the first violation until the location is right again.
    ///
    /// Seconds; nil without bouts.
    ///
    /// A bout without a violation counts as 0. If the location is not right again after the violation, the whole bout
    /// counts.
    public var rightAgainP90: Double?
    /// The longest violation within a bout, in seconds.
    public var longestMoving: Int
    /// Quantiles of the error over the bouts' seconds; metres, infinite if nothing was delivered, nil without bouts.
    public var errorMovingP50: Double?
    public var errorMovingP95: Double?

    /// - Parameter accuracy: The requested accuracy, in metres.
    init(_ errors: HeldErrors, against truth: TruthGrid, accuracy: Double) {
        // A run that delivered nothing is scored from the trace's start, and all of it is violated.
        let first = errors.firstDelivery == nil ? 0 : errors.firstSecond
        let moving = MovingBouts(of: truth, from: first)
        let isMoving = moving.flags(count: truth.count)
        let isViolated = truth.indices.map { $0 >= first && errors.metres[$0] > accuracy }
        bouts = moving.bouts.count
        movingShare = Double(moving.seconds) / Double(truth.count)

        let violated = truth.indices.count { isMoving[$0] && isViolated[$0] }
        violatedMoving = moving.seconds == 0 ? nil : Double(violated) / Double(moving.seconds)
        let rest = truth.indices[first...].filter { !isMoving[$0] }
        violatedRest = rest.isEmpty ? nil : Double(rest.count { isViolated[$0] }) / Double(rest.count)

        let shares = moving.bouts.map { bout in Double(bout.count { isViolated[$0] }) / Double(bout.count) }.sorted()
        boutP50 = shares.quantile(0.5)
        boutP90 = shares.quantile(0.9)
        let waits = moving.bouts.map { bout -> Double in
            guard let wrong = bout.first(where: { isViolated[$0] }) else { return 0 }
            let right = isViolated[wrong...].firstIndex(of: false)
            return Double(right.map { $0 - wrong } ?? bout.count)
        }
        rightAgainP90 = waits.sorted().quantile(0.9)
        longestMoving = truth.indices.map { isMoving[$0] && isViolated[$0] }.runs(of: true).map(\.count).max() ?? 0
        let metres = moving.bouts.flatMap { errors.metres[$0] }.sorted()
        errorMovingP50 = metres.quantile(0.5)
        errorMovingP95 = metres.quantile(0.95)
    }
}

extension [Double] {
    /// The quantile of values in ascending order; nil if there are none.
    ///
    /// Between two values the quantile is interpolated linearly, which is also numpy's default.
    func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let place = share * Double(count - 1)
        let index = Int(place)
        guard index + 1 < count, self[index + 1] > self[index] else { return self[index] }
        return self[index] + (self[index + 1] - self[index]) * (place - Double(index))
    }
}
