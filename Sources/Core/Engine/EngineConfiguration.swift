public import Beacons
public import ClientProtocol
public import HostSleep
public import Monitors
public import SextantUnits

/// The settings with which an Engine is made.
public struct EngineConfiguration: Sendable, Equatable {
    /// The path of the receiver's device, as clients are shown it.
    public var device: String
    /// The UART's rate in bits per second, where the user fixed it; nil to find the rate.
    public var fixedBaud: Int?
    /// The UART's rate in bits per second at which the receiver was last understood; nil where none is known.
    public var lastBaud: Int?
    /// The later of the host's clock and the build date.
    public var now: UTCInstant
    /// The user that the daemon runs as; clients of this user may do what an operator may.
    public var userID: UInt32?
    /// The origin of the positions, as clients are told it.
    public var source = LocationObject.Source()
    /// How the receiver's power can be switched; nil where the receiver is always on and only listened to.
    public var power: PowerConfiguration?
    /// Whether the board has a compass that may be looked for.
    public var hasCompass = false
    /// Whether Sextant has the board's accelerometer watch for motion; false where another program does, or nothing.
    public var watchesMotion = false
    /// The board's Bluetooth settings, from its file.
    public var radio = BeaconRadio.Settings()
    /// The spots that the owner marked with beacons.
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
