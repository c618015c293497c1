public import Emulation
internal import Receivers
public import Units

/// The emulated receiver hears the daemon as the board's wires would have it: at the daemon's own rate.
extension EmulatedReceiver: EmulatedDevice {
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) { hostBaud = baud }
}
