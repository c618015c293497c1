/// The kind of a folder in `boards` that describes only a part of a board: `part` in its file.
public enum PartKind: String, Sendable, CaseIterable {
    /// The computer: its UART and its draw.
    case host
    /// The receiver, as it is sold: on a HAT, a module or a cable.
    case receiver
    /// A magnetometer, an accelerometer, or both; or the radio that hears beacons.
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
