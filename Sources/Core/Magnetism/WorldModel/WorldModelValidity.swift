/// Whether a world model covers a time.
public enum WorldModelValidity: UInt8, Sendable, Hashable {
    case valid
    /// The time is before the model's first year, mostly because the clock was never set.
    case before
    /// The time is after the model's last year, and a newer model exists.
    case after
}

extension WorldModelValidity: CustomStringConvertible {
    public var description: String {
        switch self {
        case .valid: "\(WorldMagneticModel.name) covers this time"
        case .before:
            "\(WorldMagneticModel.name) is valid from 2025.0 on: check the clock; earlier values are extrapolated "
                + "back, without known errors"
        case .after:
            "\(WorldMagneticModel.name) was valid until 2030.0: install a release with the next model; later values "
                + "for later is carried on, without known errors"
        }
    }
}
