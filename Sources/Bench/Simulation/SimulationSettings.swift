public import Boards
public import Emulation
public import Receivers

/// The policy that decides when the GNSS receiver is on.
public enum SimulationPolicy: Sendable, Hashable {
    /// The Engine's own policy for a client that requests an accuracy in metres.
    case adaptive
    /// The Engine's own policy for a client that requests the best accuracy: the receiver stays on.
    case alwaysOn
    /// The receiver is switched on at fixed intervals and off at its next fix.
    case interval(seconds: Double)
    /// The schedule of fixes that `Oracle` computes from the trajectory, which it knows in advance.
    case oracle
}

/// The settings of a simulated day: the receiver, its trajectory, the policy and the client's request.
public struct SimulationSettings: Sendable {
    public var model: ReceiverModel
    /// The receiver's true trajectory; the run lasts as long as the trajectory.
    public var trajectory: Trajectory
    /// The intervals, in Unix seconds, in which the receiver sees no sky.
    public var mask: MaskIntervals
    /// The accuracy that the client asks for, in metres.
    public var accuracy: Double
    /// The distance in metres by which the board must move before the client gets another location; nil to get every
    /// fix.
    public var distanceFilter: Double?
    public var policy: SimulationPolicy
    public var hasMotionSensor: Bool
    /// Whether a backup supply keeps the receiver's clock and ephemerides while its main supply is off.
    public var hasBackup: Bool
    /// The surroundings, which determine the receiver's errors and the accuracies that it claims.
    public var surroundings = Surroundings.open
    public var seed: UInt64
    public var host: HostPower
    /// The options of the motion sensor; used only if the board has one.
    public var motionSensor = EmulatedMotionSensor.Options()
    /// The standard deviation of the receiver's position error on each axis, in metres.
    public var positionSigma = EmulatedReceiver.Options().positionSigma
    /// The factor by which the receiver's stated accuracy radius is scaled: 1 is correct, less than 1 is too
    /// optimistic.
    public var accuracyScale = 1.0
    /// How the host itself is switched off and woken; nil if it always stays on.
    public var hostSleep: HostSleepModel?
    /// What the daemon learned on earlier days about the receiver and the board's movements, encoded; nil for a new
    /// board.
    public var learned: [UInt8]?
    /// Whether the Engine's inputs are kept as a flight recording for `sextant replay`; if the host sleeps, the inputs
    /// of all boots follow each other in one recording.
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

    /// Whether the Engine decides when the receiver is on; if not, a fixed schedule decides.
    var isManaged: Bool { policy == .adaptive || policy == .alwaysOn }

    /// The GPIO lines of the simulated board: a load switch for the receiver, and the motion sensor's interrupt if
    /// there is a sensor.
    var lines: Set<LineRole> { hasMotionSensor ? [.powerEnable, .motionInterrupt] : [.powerEnable] }

    /// The `watch` request that the client sends to the daemon, as one JSON object.
    var request: [UInt8] {
        var line = "{\"request\":\"watch\",\"accuracy\":"
        line += policy == .alwaysOn ? "\"best\"" : "\(accuracy)"
        if hostSleep != nil { line += ",\"hostSleep\":true" }
        if let distanceFilter { line += ",\"distanceFilter\":\(distanceFilter)" }
        return Array((line + ",\"pausesAutomatically\":false}").utf8)
    }
}

/// The reason for which a simulated run gave no result.
public enum SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The Engine refused the client's request; the text is the error event (one JSON object) that the client received.
    case refused(String)

    public var description: String {
        switch self {
        case .refused(let message): "the Engine refuses the request: \(message)"
        }
    }
}
