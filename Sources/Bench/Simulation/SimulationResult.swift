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

    /// The results of the host's own sleep.
    public struct HostSleep: Sendable, Hashable {
        /// The number of boots after a sleep.
        public var boots: Int
        /// The draw of a host that is on, in milliwatts.
        public var idleMilliwatts: Double
        /// The last stored record of what the daemon learned about the receiver and the board's movements; nil if none
        /// was stored.
        public var learned: [UInt8]?
        /// The daemon's own account of the host's energy, up to the last sleep; nil if there was none.
        public var ledger: HostLedger?
        /// The periods in one state each, in order.
        public var spells: [Spell]
    }

    /// A period for which the host was in one state.
    public struct Spell: Sendable, Hashable {
        public enum State: String, Sendable, CaseIterable {
            case on
            case stopping
            /// Halted, and still supplied.
            case halted
            case off
            case booting
        }

        public var state: State
        /// Seconds since the run's start.
        public var from: Double
        public var until: Double
        /// The energy in joules that the host drew from its 5 V supply in this period.
        public var joules: Double
    }

    public var record: RunRecord
    /// The changes of the motion sensor's line that the Engine received, in order.
    public var motions: [MotionEdge]
    /// The number of times that the host was woken in the whole run.
    public var hostWakes: Int
    /// The results of the host's sleep; nil if the host stays on.
    public var sleep: HostSleep?
    /// The number of instants at which the Engine kept requesting a wake-up for an instant that had passed.
    ///
    /// A real daemon would then run at full CPU load until the next byte.
    public var spins: Int
    /// The receiver's energy in joules from the first location on, as the emulated receiver counts it.
    ///
    /// The score has one figure for each state; this energy also distinguishes cyclic tracking from tracking, and sleep
    /// from supply off.
    public var drawnJoules: Double
    /// Whether the receiver stated the accuracy of its locations; without it `coverage68` is nil.
    public var hasAccuracies: Bool
    /// The flight recording, for `sextant replay`; empty if none was requested.
    public var recording: [UInt8]
    /// The line with the daemon's status at the end; empty if no daemon ran.
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
    /// With a backup supply the receiver rests with its main supply off, otherwise in software sleep.
    public var draws: ReceiverDraws {
        ReceiverDraws(model.powerDraw, resting: hasBackup ? .hardware : .software)
    }

    /// The trajectory as the truth for the score.
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
