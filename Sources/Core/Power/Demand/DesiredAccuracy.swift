/// How accurate a client wants positions to be.
///
/// Core Location's constants are -1 for best and -2 for best for navigation; they are never compared as numbers.
public enum DesiredAccuracy: Sendable, Hashable {
    case best
    case bestForNavigation
    /// An accuracy in metres, more than 0.
    case metres(Double)
    /// The coarse location that a client with reduced accuracy gets, for one that may see more and wants no more.
    case reduced

    /// Accuracy in metres that a power plan must hold; 0 for best.
    public var effectiveMetres: Double {
        switch self {
        case .best, .bestForNavigation: 0
        case .metres(let metres): metres
        // Small beside the cell that is shown.
        case .reduced: 1000
        }
    }

    /// Whether the receiver's best is wanted.
    public var isBest: Bool {
        switch self {
        case .best, .bestForNavigation: true
        case .metres, .reduced: false
        }
    }
}
