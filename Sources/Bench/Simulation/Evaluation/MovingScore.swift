/// How accurate a run's locations were while the board moved and while the board rested.
///
/// A board rests for most of a day, and then the last location stays right under every policy. A share of all time
/// would therefore say little, so moving time (bouts of two minutes or more) and rest have separate figures. A second
/// is violated if the last delivered location is then farther from the truth than the requested accuracy. Only the time
/// from the first delivery on is examined.
public struct MovingScore: Sendable, Hashable {
    /// The share of the whole trace's time that lies within bouts of movement after the first delivery.
    public var movingShare: Double
    /// The number of bouts of movement.
    public var bouts: Int
    /// The share of the moving time in which the last location was farther off than the requested accuracy; nil if the
    /// board never moved.
    public var violatedMoving: Double?
    /// The share of the time at rest or in slow movement in which the last location was farther off than the requested
    /// accuracy; nil if there is no such time.
    public var violatedRest: Double?
    /// The median, over the bouts of movement, of the share of a bout in which the last location was farther off than
    /// the requested accuracy; nil without bouts.
    public var boutP50: Double?
    public var boutP90: Double?
    /// How long a wrong location lasts: the 90th percentile, over the bouts of movement, of the seconds from a bout's
    /// first violation of the requested accuracy until the location is right again.
    ///
    /// Nil without bouts.
    ///
    /// A bout without a violation counts as 0. If the location is not right again before the trace's end, the length of
    /// the whole bout counts.
    public var rightAgainP90: Double?
    /// The longest time within a bout of movement in which the location was farther off than the requested accuracy, in
    /// seconds.
    public var longestMoving: Int
    /// The median error of the last delivered location over all seconds of movement, in metres; infinite if nothing was
    /// delivered, nil if the board never moved.
    public var errorMovingP50: Double?
    public var errorMovingP95: Double?

    /// - Parameter accuracy: The requested accuracy, in metres.
    init(_ errors: HeldErrors, against truth: TruthGrid, accuracy: Double) {
        // A run that delivered no location is scored from the trace's start; every second then counts as a violation.
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
