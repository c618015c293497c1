internal import Emulation
public import HostSleep
internal import Receivers

/// The results and costs of a simulated run.
public struct SimulationResult: Sendable {
    /// A change of the level on the motion sensor's interrupt line.
    public struct MotionEdge: Sendable, Hashable {
        /// The time of the change in Unix seconds.
        public var time: Double
        public var isMoving: Bool
    }

    /// The results of switching the host itself off.
    public struct HostSleep: Sendable, Hashable {
        /// The number of boots that ended a sleep of the host.
        public var boots: Int
        /// The power draw of the host while it is on, in milliwatts.
        public var idleMilliwatts: Double
        /// What the daemon learned about the receiver and the board's movements, in its last stored form; nil if
        /// nothing was stored.
        public var learned: [UInt8]?
        /// The daemon's own record of the host's energy, up to the last sleep; nil if the daemon stored none.
        public var ledger: HostLedger?
        /// The periods that the host spent in one state each, in order.
        public var spells: [Spell]
    }

    /// A period that the host spent in one state.
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
        /// The beginning of the period, in seconds since the run's start.
        public var from: Double
        public var until: Double
        /// The energy in joules that the host drew from its 5 V supply in this period.
        public var joules: Double
    }

    public var record: RunRecord
    /// The level changes of the motion sensor's interrupt line in the run, in order.
    public var motions: [MotionEdge]
    /// The number of times in the whole run that the host's processor was woken from idle.
    public var hostWakes: Int
    /// The results of switching the host off; nil if the host always stays on.
    public var sleep: HostSleep?
    /// The number of instants at which the Engine kept asking to be woken at once, although no time had passed.
    ///
    /// A real daemon would then run at full CPU load until the next byte.
    public var spins: Int
    /// The receiver's energy in joules from the first location on, as the emulated receiver counts it.
    ///
    /// The score has only one power figure for tracking and one for rest; this energy also distinguishes cyclic
    /// tracking from continuous tracking, and sleep from a supply that is off.
    public var drawnJoules: Double
    /// Whether the receiver stated the accuracy of any location; if not, the score's `coverage68` is nil.
    public var hasAccuracies: Bool
    /// The recording of the Engine's inputs, for `sextant replay`; empty if the settings request none.
    public var recording: [UInt8]
    /// The daemon's status at the end of the run, as a line (one JSON object); empty if no daemon ran.
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
    /// With a backup supply the receiver's main supply is switched off at rest; without one the receiver rests in
    /// software sleep.
    public var draws: ReceiverDraws {
        ReceiverDraws(model.powerDraw, resting: hasBackup ? .hardware : .software)
    }

    /// The settings' trajectory as a grid of true positions, with which the run is scored.
    public func truth() throws(TruthError) -> TruthGrid {
        try TruthGrid(
            times: trajectory.points.map(\.time), latitudes: trajectory.points.map(\.latitude),
            longitudes: trajectory.points.map(\.longitude))
    }

    /// The schedule of fixes with the least energy for a policy that knows the trajectory in advance; two fixes are at
    /// most two hours apart.
    public func oracle(on truth: TruthGrid) -> Oracle {
        Oracle(of: truth, accuracy: accuracy, settings: Oracle.Settings(draws: draws, longestGap: 7200))
    }
}
