/// The purpose of a GPIO line between the host and the board.
///
/// Most lines go to the receiver; `motionInterrupt` comes from the accelerometer, and `indicator` drives a light.
public enum LineRole: UInt8, Sendable, CaseIterable {
    /// Output: the receiver's main supply.
    case powerEnable = 0
    /// Output: the receiver's backup supply, where the host switches it.
    case backupSupply = 1
    /// Output: the receiver's reset.
    case reset = 2
    /// Output: EXTINT, ON_OFF or standby: an edge wakes the receiver.
    case wake = 3
    /// Input: one pulse a second.
    case pulsePerSecond = 4
    /// Input: an accelerometer's motion interrupt.
    case motionInterrupt = 5
    /// Output: a light that shows that a program follows the board's location in the background.
    case indicator = 6
}

extension LineRole {
    /// The line role's key in a board file.
    public var key: String {
        switch self {
        case .powerEnable: "powerEnable"
        case .backupSupply: "backupSupply"
        case .reset: "reset"
        case .wake: "wake"
        case .pulsePerSecond: "pulsePerSecond"
        case .motionInterrupt: "motionInterrupt"
        case .indicator: "indicator"
        }
    }

    /// Whether the host drives the line.
    public var isOutput: Bool {
        switch self {
        case .powerEnable, .backupSupply, .reset, .wake, .indicator: true
        case .pulsePerSecond, .motionInterrupt: false
        }
    }
}
