/// The kind of part that a folder in `boards` describes if it describes no whole board; the key `part` of its file
/// gives the kind.
public enum PartKind: String, Sendable, CaseIterable {
    /// The computer, such as a Raspberry Pi, with its UART and its power draw.
    case host
    /// The receiver in the form in which it is sold: on a HAT, on a module or with a cable.
    case receiver
    /// A magnetometer, an accelerometer, or both; or the radio that receives beacons.
    case breakout
    /// The GPIO lines that switch the receiver's supplies.
    case power
    /// The module that cuts and restores the host's own supply.
    case hostSwitch

    /// Whether a board can have only one part of this kind.
    var isOnly: Bool {
        switch self {
        case .host, .receiver, .hostSwitch: true
        case .breakout, .power: false
        }
    }
}
