/// How accurate a client wants positions to be.
///
/// Core Location's constants are -1 for best and -2 for best for navigation; these cases are not compared as numbers.
public enum DesiredAccuracy: Sendable, Hashable {
    case best
    case bestForNavigation
    /// An accuracy in metres, more than 0.
    case metres(Double)
    /// The coarse location of reduced accuracy, for a client that is allowed full accuracy but does not want it.
    case reduced

    /// The largest error in metres that the client allows for the last reported position; 0 for the receiver's best.
    public var effectiveMetres: Double {
        switch self {
        case .best, .bestForNavigation: 0
        case .metres(let metres): metres
        // 1 km suffices: a client with reduced accuracy is shown only a grid cell, which is much larger than that.
        case .reduced: 1000
        }
    }

    /// Whether the client wants the best accuracy that the receiver can give.
    public var isBest: Bool {
        switch self {
        case .best, .bestForNavigation: true
        case .metres, .reduced: false
        }
    }
}
