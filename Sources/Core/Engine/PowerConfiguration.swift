internal import HostSleep
internal import Power
public import Receivers

/// The properties of a receiver whose power the Engine can switch, from the board's file or a simulation.
public struct PowerConfiguration: Sendable, Equatable {
    public var model: ReceiverModel
    /// The receiver's power draw in milliwatts, as measured on the board; where it was not measured, the model's usual
    /// values.
    public var draw: PowerDraw
    /// The receiver's times to first fix that are assumed until some were observed: as measured on the board, or else
    /// the model's usual ones.
    public var startTimes: StartTimes
    /// The rate to which the UART is set, in bits per second; nil leaves the rate as it is.
    public var baud: Int?
    /// Whether the receiver's backup supply stays on while its main supply is off.
    public var hasPersistentBackup: Bool
    /// The motion sensor's power draw in milliwatts; nil where there is no sensor.
    public var motionSensorDraw: Double?
    /// The Bluetooth radio's power draw in milliwatts while it listens for beacons; nil where it is not known.
    public var radioDraw: Double?
    public var hostIdleMilliwatts: Double
    public var hostWakeMillijoules: Double
    /// The battery's capacity in watt hours; nil where there is no battery or its capacity is not configured.
    public var batteryWattHours: Double?
    /// The longest time, in seconds, for which the receiver may stay off while no working motion sensor watches the
    /// board.
    public var longestUnwatchedRest: Double
    /// What the daemon had learned about the receiver when it last ran, as stored bytes; nil where none were stored.
    public var learned: [UInt8]?

    /// The UART's rate, 38,400 bits per second, where the configuration gives none.
    ///
    /// At 9600, the usual factory setting, the messages of an epoch take four times as long as at 38,400, and wake the
    /// host more often.
    public static let usualBaud = 38_400

    /// - Parameters:
    ///   - startTimes: The assumed times to first fix; nil for the model's.
    ///   - longestUnwatchedRest: The longest time, in seconds, for which the receiver may stay off while no working
    ///     motion sensor watches the board; nil for the policy's usual value.
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

    /// The board's power draws, for the energy ledger; nil where the values are impossible.
    var energyModel: EnergyModel? {
        try? EnergyModel(
            receiver: draw, sensors: motionSensorDraw.map { [$0] } ?? [], radio: radioDraw,
            hostIdle: hostIdleMilliwatts, hostWake: hostWakeMillijoules,
            batteryWattHours: batteryWattHours.map { $0 * HostCosts.converterEfficiency })
    }
}
