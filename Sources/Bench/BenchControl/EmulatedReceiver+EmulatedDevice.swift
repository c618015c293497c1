public import Emulation
internal import Receivers
public import SextantUnits

/// Connects the emulated receiver to the daemon as the board's wires would; the baud rate of the receiver's host is the
/// daemon's.
extension EmulatedReceiver: EmulatedDevice {
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) { hostBaud = baud }
}
