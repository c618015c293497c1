internal import Power
public import Receivers

/// What the Engine is told of a receiver that it may switch: by the board's file, or by a simulation.
public struct PowerConfiguration: Sendable, Equatable {
    public var model: ReceiverModel
    /// Milliwatts, as measured on the board, or the model's.
    public var draw: PowerDraw
    /// What is believed of its starts until some were seen: as measured on the board, or the model's.
    public var startTimes: StartTimes
    /// The UART's rate that is wanted, in bits per second; nil leaves it.
    public var baud: Int?
    /// Whether the backup supply stays while the receiver's main supply is off.
    public var hasPersistentBackup: Bool
    /// The motion sensor's draw in milliwatts; nil where there is none.
    public var motionSensorDraw: Double?
    public var hostIdleMilliwatts: Double
    public var hostWakeMillijoules: Double
    /// Watt hours; nil where there is no battery, or nobody said.
    public var batteryWattHours: Double?
    /// Seconds for which the receiver may be off while no motion sensor watches the board's rest.
    public var longestUnwatchedRest: Double
    /// What was kept of `LearnedState` when the daemon last ran; nil where nothing was.
    public var learned: [UInt8]?

    /// Bits per second that are wanted where nobody has a wish: at a receiver's own 9600 a report takes four times as
    /// long to arrive, and wakes the host more often.
    public static let usualBaud = 38_400

    /// - Parameters:
    ///   - startTimes: Nil for the model's.
    ///   - longestUnwatchedRest: Nil for the policy's own.
    public init(
        model: ReceiverModel, draw: PowerDraw, startTimes: StartTimes? = nil, baud: Int?, hasPersistentBackup: Bool,
        motionSensorDraw: Double?, hostIdleMilliwatts: Double, hostWakeMillijoules: Double, batteryWattHours: Double?,
        longestUnwatchedRest: Double? = nil, learned: [UInt8]?
    ) {
        self.model = model
        self.draw = draw
        self.startTimes = startTimes ?? model.startTimes
        self.baud = baud
        self.hasPersistentBackup = hasPersistentBackup
        self.motionSensorDraw = motionSensorDraw
        self.hostIdleMilliwatts = hostIdleMilliwatts
        self.hostWakeMillijoules = hostWakeMillijoules
        self.batteryWattHours = batteryWattHours
        self.longestUnwatchedRest = longestUnwatchedRest ?? PolicySettings.usualUnwatchedRest
        self.learned = learned
    }

    /// What the board draws, for the ledger.
    var energyModel: EnergyModel? {
        try? EnergyModel(
            receiver: draw, sensors: motionSensorDraw.map { [$0] } ?? [], hostIdle: hostIdleMilliwatts,
            hostWake: hostWakeMillijoules, batteryWattHours: batteryWattHours)
    }
}
