internal import Emulation
public import HostSleep
internal import Receivers

/// The results and costs of a simulated run.
public struct SimulationResult: Sendable {
    /// A change of the motion sensor's line.
    public struct MotionEdge: Sendable, Hashable {
        /// Unix seconds.
        public var time: Double
        public var isMoving: Bool
    }

    /// The sleep of the host itself.
    public struct HostSleep: Sendable, Hashable {
        /// How often it was switched on again.
        public var boots: Int
        /// The draw of a host that is on, in milliwatts.
        public var idleMilliwatts: Double
        /// The record of what the daemon has learned of the receiver and of the board's movements, as it last stored
        /// it; nil where it stored none.
        public var learned: [UInt8]?
        /// The daemon's own account of it, up to the last sleep; nil where there was none.
        public var ledger: HostLedger?
        /// The times in one state each, in order.
        public var spells: [Spell]
    }

    /// A time for which the host was in one state.
    public struct Spell: Sendable, Hashable {
        public enum State: String, Sendable, CaseIterable {
            case on
            case stopping
            /// Halted, with its supply still there.
            case halted
            case off
            case booting
        }

        public var state: State
        /// Seconds since the run's start.
        public var from: Double
        public var until: Double
        /// Joules that the host drew from its 5 V supply in this time.
        public var joules: Double
    }

    public var record: RunRecord
    /// The changes of the motion sensor's line that the Engine was told, in order.
    public var motions: [MotionEdge]
    /// How often the host was woken in the whole run.
    public var hostWakes: Int
    /// Nil where the host stays on.
    public var sleep: HostSleep?
    /// How often the Engine kept requesting a wake-up at an instant that had passed.
    ///
    /// A daemon would then run at full load until the next byte.
    public var spins: Int
    /// The receiver's energy from the first location on, as the emulated receiver counts it.
    ///
    /// Unlike the score, which has one figure for each state, it distinguishes cyclic tracking from tracking, and sleep
    /// from supply off.
    public var drawnJoules: Double
    /// Whether the receiver stated the accuracy of its locations; without that there is no coverage.
    public var hasAccuracies: Bool
    /// The flight recording, for `sextant replay`; empty where none was wanted.
    public var recording: [UInt8]
    /// The line with the daemon's status at the end; empty where no daemon ran.
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
    /// The receiver's power draw in each state.
    ///
    /// With a backup supply the receiver rests with its main supply off, else in software sleep.
    public var draws: ReceiverDraws {
        ReceiverDraws(model.powerDraw, resting: hasBackup ? .hardware : .software)
    }

    /// The truth to score against.
    public func truth() throws(TruthError) -> TruthGrid {
        try TruthGrid(
            times: trajectory.points.map(\.time), latitudes: trajectory.points.map(\.latitude),
            longitudes: trajectory.points.map(\.longitude))
    }

    /// The best schedule for a policy that knows the trajectory in advance; two fixes are at most two hours apart.
    public func oracle(on truth: TruthGrid) -> Oracle {
        Oracle(of: truth, accuracy: accuracy, settings: Oracle.Settings(draws: draws, longestGap: 7200))
    }
}
