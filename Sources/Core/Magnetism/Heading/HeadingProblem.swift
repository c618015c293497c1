/// The reason why there is no heading; the gravest case comes first.
public enum HeadingProblem: UInt8, Sendable, Hashable, CaseIterable {
    /// The field was beyond the chip's range.
    case saturated
    /// The magnetometer has not been calibrated on this board.
    case uncalibrated
    /// The Earth's field is almost vertical here, as near the magnetic poles.
    case blackout
    /// The board is accelerated too strongly to tell the upward direction.
    case accelerating
    /// The accelerometer has stopped giving data, so the upward direction is unknown.
    case tiltUnknown
    /// The calibration holds only while a certain axis is vertical, and that axis is not vertical at present.
    case notCalibratedForThisTilt
    /// A disturbing field is added to the Earth's, as from iron or a current.
    case disturbed
    /// The side of the device whose direction is the heading points almost straight up or down.
    case axisIsVertical
    /// The errors of the heading are together too large for it to be of use.
    case inaccurate
}

extension HeadingProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .saturated: "the field is beyond the magnetometer's range: take the magnet away"
        case .uncalibrated: "the compass is not calibrated on this board: turn the board about all its axes"
        case .blackout: "the Earth's field is all but vertical here: no compass works near the magnetic poles"
        case .accelerating: "the board is shaken too much to tell which way is up: hold it still"
        case .tiltUnknown: "the accelerometer is silent and nothing tells which way is up: check its wiring"
        case .notCalibratedForThisTilt:
            "the compass was calibrated in another attitude than this: turn the board about all its axes once"
        case .disturbed: "another field than the Earth's is here: move away from iron, magnets and currents"
        case .axisIsVertical: "the front points up or down, so there is no heading: hold the board flatter"
        case .inaccurate: "the heading is too uncertain: calibrate the compass again, or hold the board level"
        }
    }
}
