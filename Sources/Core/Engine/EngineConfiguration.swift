public import Beacons
public import ClientProtocol
public import HostSleep
public import Monitors
public import SextantUnits

/// The settings with which an Engine is made.
public struct EngineConfiguration: Sendable, Equatable {
    /// The path of the receiver's device, as shown to clients.
    public var device: String
    /// The UART's rate in bits per second, where the configuration fixes it; nil where the daemon must find the rate.
    public var fixedBaud: Int?
    /// The UART's rate in bits per second at which the receiver was last understood; nil where none is known.
    public var lastBaud: Int?
    /// The time at the daemon's start by the host's wall clock, or the build date where that is later.
    public var now: UTCInstant
    /// The user that the daemon runs as; clients of this user have an operator's rights.
    public var userID: UInt32?
    /// Whether the positions are simulated, and whether the receiver is an accessory (no part of the board).
    public var source = LocationObject.Source()
    /// How the receiver's power can be switched; nil where the daemon only reads a receiver that is always on.
    public var power: PowerConfiguration?
    /// Whether the board has a compass, so that the daemon looks for it.
    public var hasCompass = false
    /// Whether the daemon makes the board's accelerometer watch for motion; false where another program does, or none.
    public var watchesMotion = false
    /// The Bluetooth settings, from the board's file.
    public var radio = BeaconRadio.Settings()
    /// The spots: places that the owner marked with Bluetooth beacons.
    public var spots: [BeaconSpot] = []
    /// The settings of host sleep; nil where the configuration has none.
    public var hostSleep: HostSleepConfiguration?
    /// The board's name, which a compass calibration must match; empty where no board is described.
    public var board = ""

    public init(
        device: String, fixedBaud: Int?, lastBaud: Int?, now: UTCInstant, power: PowerConfiguration? = nil
    ) {
        self.device = device
        self.fixedBaud = fixedBaud
        self.lastBaud = lastBaud
        self.now = now
        self.power = power
    }
}
