/// The kind of a folder in `boards` that describes only a part of a board; its file gives the kind as `part`.
public enum PartKind: String, Sendable, CaseIterable {
    /// The computer: its UART and its power draw.
    case host
    /// The receiver in the form in which it is sold: on a HAT, on a module or with a cable.
    case receiver
    /// A magnetometer, an accelerometer, or both; or the radio that receives beacons.
    case breakout
    /// How the receiver's supplies are switched.
    case power
    /// The switch that cuts and restores the host's own supply.
    case hostSwitch

    /// Whether a board has at most one part of this kind.
    var isOnly: Bool {
        switch self {
        case .host, .receiver, .hostSwitch: true
        case .breakout, .power: false
        }
    }
}
