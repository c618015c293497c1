public import Boards
public import Emulation
public import Receivers

/// The policy that decides when the receiver is on.
public enum SimulationPolicy: Sendable, Hashable {
    /// The Engine's own, by what the client needs.
    case adaptive
    /// The Engine's own, and the client wants the best of every second: the receiver stays on.
    case alwaysOn
    /// A clock: the receiver is switched on at each interval and off at its next fix.
    case interval(seconds: Double)
    /// One that knows the truth beforehand: the schedule of `Oracle`.
    case oracle
}

/// A day to be simulated: who carries which receiver where, and what is asked of it.
public struct SimulationSettings: Sendable {
    public var model: ReceiverModel
    /// Where the receiver truly is; the run is as long.
    public var trajectory: Trajectory
    /// When it sees no sky.
    public var mask: MaskIntervals
    /// Metres that the client asks for.
    public var accuracy: Double
    /// Metres between two reports that the client asks for; nil for every fix.
    public var distanceFilter: Double?
    public var policy: SimulationPolicy
    public var hasMotionSensor: Bool
    /// Whether a backup supply keeps the receiver's clock and ephemerides while its main supply is off.
    public var hasBackup: Bool
    /// What the receiver's errors and claims are like.
    public var surroundings = Surroundings.open
    public var seed: UInt64
    public var host: HostPower
    /// How the motion sensor feels motion, where there is one; its start is the run's.
    public var motionSensor = Emulation.MotionSensor.Options()
    /// Metres, one standard deviation of an axis of the receiver's positions.
    public var positionSigma = EmulatedReceiver.Options().positionSigma
    /// The factor by which the emulated receiver multiplies the accuracy that it states: 1 states the true accuracy, less
    /// than 1 states a better one than it has.
    public var accuracyScale = 1.0
    /// Whether the Engine's inputs are kept as a flight recording.
    public var isRecorded = false

    public init(
        model: ReceiverModel, trajectory: Trajectory, mask: MaskIntervals = .none, accuracy: Double,
        distanceFilter: Double? = nil, policy: SimulationPolicy = .adaptive, hasMotionSensor: Bool = false,
        hasBackup: Bool = true, seed: UInt64 = 1, host: HostPower = HostModel.zero2W.power
    ) {
        self.model = model
        self.trajectory = trajectory
        self.mask = mask
        self.accuracy = accuracy
        self.distanceFilter = distanceFilter
        self.policy = policy
        self.hasMotionSensor = hasMotionSensor
        self.hasBackup = hasBackup
        self.seed = seed
        self.host = host
    }

    /// Whether the Engine switches the receiver, and not a schedule.
    var isManaged: Bool { policy == .adaptive || policy == .alwaysOn }

    /// The lines of the simulated board: a load switch, and the motion sensor's interrupt where there is one.
    var lines: Set<LineRole> { hasMotionSensor ? [.powerEnable, .motionInterrupt] : [.powerEnable] }

    /// The line that the client sends.
    var request: [UInt8] {
        var line = "{\"request\":\"watch\",\"accuracy\":"
        line += policy == .alwaysOn ? "\"best\"" : "\(accuracy)"
        if let distanceFilter { line += ",\"distanceFilter\":\(distanceFilter)" }
        return Array((line + ",\"pausesAutomatically\":false}").utf8)
    }
}

/// Why a run has no result.
public enum SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The Engine refused the client's request, with these words.
    case refused(String)

    public var description: String {
        switch self {
        case .refused(let message): "the Engine refuses the request: \(message)"
        }
    }
}
