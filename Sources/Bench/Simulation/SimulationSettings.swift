public import Boards
public import Emulation
public import Receivers

/// The policy that decides when the receiver is on.
public enum SimulationPolicy: Sendable, Hashable {
    /// The Engine's own policy, which follows the client's needs.
    case adaptive
    /// The Engine's own policy for a client that wants the best accuracy every second: the receiver stays on.
    case alwaysOn
    /// The policy of fixed intervals: the receiver is switched on at each interval and off at its next fix.
    case interval(seconds: Double)
    /// The schedule of `Oracle`, which knows the truth in advance.
    case oracle
}

/// The settings of a simulated day: the receiver, its trajectory, the policy and the client's request.
public struct SimulationSettings: Sendable {
    public var model: ReceiverModel
    /// The receiver's true trajectory, which is as long as the run.
    public var trajectory: Trajectory
    /// The times at which the receiver sees no sky.
    public var mask: MaskIntervals
    /// The accuracy that the client asks for, in metres.
    public var accuracy: Double
    /// The distance between two reports that the client asks for, in metres; nil for every fix.
    public var distanceFilter: Double?
    public var policy: SimulationPolicy
    public var hasMotionSensor: Bool
    /// Whether a backup supply keeps the receiver's clock and ephemerides while its main supply is off.
    public var hasBackup: Bool
    /// The surroundings, which determine the receiver's errors and the accuracies that it claims.
    public var surroundings = Surroundings.open
    public var seed: UInt64
    public var host: HostPower
    /// The options of the motion sensor, if the board has one; the sensor's start is set to the start of the run.
    public var motionSensor = Emulation.MotionSensor.Options()
    /// The standard deviation of the receiver's position on each axis, in metres.
    public var positionSigma = EmulatedReceiver.Options().positionSigma
    /// The factor by which the receiver's stated accuracy radius is scaled: 1 is correct, less than 1 is too
    /// optimistic.
    public var accuracyScale = 1.0
    /// How the host itself sleeps; nil if it stays on.
    public var hostSleep: HostSleepModel?
    /// The record that the daemon learned on earlier days about the receiver and the board's movements; nil for a new
    /// board.
    public var learned: [UInt8]?
    /// Whether the Engine's inputs are kept as a flight recording; if the host sleeps, the inputs of all boots are
    /// concatenated.
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

    /// Whether the Engine decides when the receiver is on, instead of a schedule.
    var isManaged: Bool { policy == .adaptive || policy == .alwaysOn }

    /// The lines of the simulated board: a load switch, and the motion sensor's interrupt if the board has a sensor.
    var lines: Set<LineRole> { hasMotionSensor ? [.powerEnable, .motionInterrupt] : [.powerEnable] }

    /// The request that the client sends, as one line.
    var request: [UInt8] {
        var line = "{\"request\":\"watch\",\"accuracy\":"
        line += policy == .alwaysOn ? "\"best\"" : "\(accuracy)"
        if hostSleep != nil { line += ",\"hostSleep\":true" }
        if let distanceFilter { line += ",\"distanceFilter\":\(distanceFilter)" }
        return Array((line + ",\"pausesAutomatically\":false}").utf8)
    }
}

/// The reason for which a run gave no result.
public enum SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The Engine refused the client's request, with this error line.
    case refused(String)

    public var description: String {
        switch self {
        case .refused(let message): "the Engine refuses the request: \(message)"
        }
    }
}
