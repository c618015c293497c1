/// The least energy that any policy could have spent on a trace, computed backwards from the trace's end.
///
/// The comparison is fair to a policy that promises the accuracy while the board moves. The oracle knows the true
/// positions, and reports the last fix until the next one. For a share of the time in bouts of movement the reported
/// location may violate the accuracy (be farther from the truth than requested); the oracle chooses when. A share of
/// the whole trace, which is mostly rest, would let the receiver sleep through every drive. A fix after sleep costs a
/// start of known length, the median of hot starts, and one second of tracking. Between two fixes the receiver sleeps
/// or stays on: in cyclic tracking if the receiver has that mode, else tracking. Slow starts, stale ephemerides and the
/// host are left out, so a real policy needs more energy.
///
/// The schedule of fixes is a path through a grid of time. Each violated grid point has a price, which is a Lagrange
/// multiplier. The search does not halve an interval of prices: each next price is the slope between the best path
/// within the allowed share and the best path beyond it, until no path lies below the line through both. The Lagrange
/// dual is then exact, and the difference between `boundJoules` and `joules` is the duality gap. With many fixes the
/// gap is 0 to 2 %. If a day needs only a handful of fixes, the gap would be wide, so the smallest number of fixes is
/// searched for directly: `joules` is then the optimum of paths that never stay on, and only the bound is low.
///
/// Both figures are valid for this grid and for a program that reports the last fix. With a step of one second, which
/// is also the step of the true trajectory, the fixes can really be made as stated. A coarser grid is faster but misses
/// what happens between its points: at 5 s the energy for a moving board is up to 7 % too low. The error is largest if
/// the board needs only a few steps to travel as far as the requested accuracy.
public struct Oracle: Sendable, Hashable {
    public struct Settings: Sendable, Hashable {
        public var draws: ReceiverDraws
        /// Seconds between two points of the time grid; fixes are possible only at these points, and only they are
        /// checked against the requested accuracy.
        public var gridStep: Int
        /// The largest number of seconds between two fixes; nil for no limit, which costs no more computing time.
        public var longestGap: Int?
        /// Seconds of search before a fix after sleep; by default the median of an M8's hot starts.
        public var acquisition: Double
        /// The share of the moving time (bouts of two minutes or more) in which the location may be farther from the
        /// truth than the requested accuracy, 0 to 1.
        public var allowance: Double

        public init(
            draws: ReceiverDraws, gridStep: Int = 1, longestGap: Int? = nil, acquisition: Double = 4,
            allowance: Double = 0.05
        ) {
            precondition(gridStep >= 1, "a grid has a step of one second or more")
            precondition(longestGap ?? gridStep >= gridStep, "the longest gap is one step of the grid or more")
            precondition(acquisition >= 0 && (0..<1).contains(allowance), "no negative search, and a share below 1")
            self.draws = draws
            self.gridStep = gridStep
            self.longestGap = longestGap
            self.acquisition = acquisition
            self.allowance = allowance
        }
    }

    /// A fix of the chosen schedule.
    public struct Fix: Sendable, Hashable {
        /// The time of the fix in seconds since the trace's start, which is also the index of the trace's point.
        public var second: Int
        /// Whether the receiver stays on from this fix to the next one instead of sleeping.
        public var staysOn: Bool
    }

    /// A lower bound for the energy over the whole trace, in joules: no schedule of fixes on this grid needs less.
    public let boundJoules: Double
    /// The energy of the chosen `fixes` over the whole trace, in joules.
    public let joules: Double
    /// The mean power of the chosen `fixes` over the whole trace, in milliwatts.
    public let milliwatts: Double
    /// The number of seconds, moving or at rest, in which the last fix is farther from the truth than the requested
    /// accuracy.
    public let secondsViolated: Int
    /// The largest allowed number of seconds in which the last fix is farther from the truth than requested: the
    /// allowed share of the time in bouts of movement.
    public let secondsAllowed: Int
    /// The fixes to make; the first fix is at the trace's start.
    public let fixes: [Fix]
    /// The number of violation prices that the search has tried.
    public let pricesTried: Int

    private let settings: Settings

    /// - Parameter accuracy: The requested accuracy, in metres.
    public init(of truth: TruthGrid, accuracy: Double, settings: Settings) {
        precondition(accuracy > 0, "an accuracy is above 0 metres")
        let points = Array(stride(from: 0, to: truth.count, by: settings.gridStep))
        let step = Double(settings.gridStep)
        let draws = settings.draws
        let programme = OracleProgramme(
            count: points.count,
            crossings: CircleCrossings(
                east: points.map { truth.east[$0] }, north: points.map { truth.north[$0] }, radius: accuracy,
                horizon: settings.longestGap.map { $0 / settings.gridStep } ?? points.count),
            costs: OracleProgramme.Costs(
                fix: settings.acquisition * draws.acquire + draws.track, sleepStep: step * draws.sleep,
                onStep: step * (draws.cyclic ?? draws.track)))
        secondsAllowed = Int(settings.allowance * Double(MovingBouts(of: truth).seconds))
        let search = PriceSearch(programme, allowance: secondsAllowed / settings.gridStep)
        boundJoules = search.bound / 1000
        joules = search.best.energy / 1000
        milliwatts = search.best.energy / (Double(points.count) * step)
        secondsViolated = search.best.violations * settings.gridStep
        fixes = search.best.legs.map { Fix(second: points[$0.from], staysOn: $0.staysOn) }
        pricesTried = search.pricesTried
        self.settings = settings
    }
}

extension Oracle {
    /// The record of a run that makes the chosen fixes, at the true positions and after searches of the length in the
    /// settings.
    ///
    /// The search of the first fix lies before the trace, and no search follows the last fix.
    public func record(on truth: TruthGrid) -> RunRecord {
        var record = RunRecord()
        for (index, fix) in fixes.enumerated() {
            let time = truth.startTime + Double(fix.second)
            let place = truth.place(at: fix.second)
            record.states.append(RunRecord.StateChange(time: time, state: .track))
            record.deliveries.append(
                RunRecord.Delivery(
                    time: time, latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 1))
            guard !fix.staysOn else {
                record.appendCycles(
                    from: time, until: time + Double(settings.gridStep), trackingShare: settings.draws.cyclicShare)
                continue
            }
            let isBehindOn = index > 0 && fixes[index - 1].staysOn
            let asleep = isBehindOn ? time : time + 1
            record.states.append(RunRecord.StateChange(time: asleep, state: .sleep))
            guard index + 1 < fixes.count else { continue }
            let search = truth.startTime + Double(fixes[index + 1].second) - settings.acquisition
            record.states.append(RunRecord.StateChange(time: max(search, asleep), state: .acquire))
        }
        return record
    }
}
