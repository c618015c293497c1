internal import Emulation
internal import Receivers

/// What a simulated run did and cost.
public struct SimulationResult: Sendable {
    /// The motion sensor's line changed.
    public struct MotionEdge: Sendable, Hashable {
        /// Unix seconds.
        public var time: Double
        public var isMoving: Bool
    }

    public var record: RunRecord
    /// What the Engine was told of the motion sensor, in order.
    public var motions: [MotionEdge]
    /// How often the host was woken in the whole run.
    public var hostWakes: Int
    /// How often the Engine asked again and again to be woken at an instant that was over; a daemon would then run at full
    /// load until the next byte.
    public var spins: Int
    /// The receiver's own account of its energy from the first location on.
    ///
    /// It tells cyclic tracking from tracking, and sleep from supply off, where the score has one figure for each state.
    public var drawnJoules: Double
    /// Whether the receiver said how accurate its locations are; without that there is no coverage.
    public var hasAccuracies: Bool
    /// The flight recording, for `sextant replay`; empty where none was wanted.
    public var recording: [UInt8]
    /// The line in which the daemon tells its status at the end; empty where there was no daemon.
    public var status: String

    /// Scores the run.
    public func score(
        of settings: SimulationSettings, against truth: TruthGrid, oracle: Oracle? = nil
    ) throws(RunScoreError) -> RunScore {
        var score = try RunScore(
            of: record, against: truth, accuracy: settings.accuracy, draws: settings.draws, oracle: oracle)
        if !hasAccuracies { score.coverage68 = nil }
        return score
    }
}

extension SimulationSettings {
    /// What the receiver draws in each state; it rests with its supply off where the backup supply keeps what it knows.
    public var draws: ReceiverDraws {
        ReceiverDraws(model.powerDraw, resting: hasBackup ? .hardware : .software)
    }

    /// The truth to score against.
    public func truth() throws(TruthError) -> TruthGrid {
        try TruthGrid(
            times: trajectory.points.map(\.time), latitudes: trajectory.points.map(\.latitude),
            longitudes: trajectory.points.map(\.longitude))
    }

    /// The best schedule for somebody who knows the way beforehand; two fixes are two hours apart at most.
    public func oracle(on truth: TruthGrid) -> Oracle {
        Oracle(of: truth, accuracy: accuracy, settings: Oracle.Settings(draws: draws, longestGap: 7200))
    }
}
