/// Why samples give no calibration, and what the user can do about it.
public enum CalibrationRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    case tooFew(count: Int, needed: Int)
    /// - Parameter index: The sample's index, counted from 0.
    case notANumber(index: Int)
    /// Too many samples are at the end of the chip's range.
    case saturated(count: Int, of: Int)
    /// - Parameter spread: The samples' standard deviation along the axis where it is largest; microtesla.
    case allAlike(spread: Double)
    /// The samples lie along a line.
    case line
    /// The board was turned about one axis, and not all the way round.
    case arc(sectors: Int, of: Int)
    /// The calibrated norms differ so much that no offset and no matrix explain the samples; `residual` and `limit` are
    /// root mean square differences in microtesla.
    case residualTooLarge(residual: Double, limit: Double)
    /// Too many samples are outliers that do not fit a constant field.
    case inconsistent(outliers: Int, of: Int)
    /// The samples are too few for their noise: the heading's error, in degrees, would be larger than the limit.
    case tooUncertain(error: Double, limit: Double)
    /// The measured norm, in microtesla, occurs nowhere on the Earth.
    case impossibleNorm(Double)
    /// The measured norm differs too much from the world model's; both in microtesla.
    case normAgainstModel(norm: Double, model: Double)

    public var description: String {
        switch self {
        case .tooFew(let count, let needed):
            "there are \(count) samples, and at least \(needed) are needed; turn the board longer"
        case .notANumber(let index):
            "sample \(index + 1) is not a number; take it out, or record again"
        case .saturated(let count, let total):
            "\(count) of \(total) samples are at the end of the range; take magnets and loudspeakers away, or set a wider "
                + "range"
        case .allAlike(let spread):
            "the samples are all alike (within \(tenths(spread)) µT); turn the board while it records"
        case .line:
            "the samples lie along a line; turn the board about at least one axis, all the way round"
        case .arc(let sectors, let total):
            "the board was turned through \(sectors) of \(total) sectors about one axis; turn it all the way round, best "
                + "in a figure-eight about every axis"
        case .residualTooLarge(let residual, let limit):
            "the field's norm varies by \(tenths(residual)) µT, and at most \(tenths(limit)) is allowed; keep away from "
                + "iron and currents, and hold the sensor fast to the board"
        case .inconsistent(let outliers, let total):
            "\(outliers) of \(total) samples agree with no constant field; keep away from moving iron and currents"
        case .tooUncertain(let error, let limit):
            "headings would be wrong by \(tenths(error))°, and at most \(tenths(limit))° is allowed; record longer, "
                + "turned more ways"
        case .impossibleNorm(let norm):
            "the field's norm is \(tenths(norm)) µT, and the Earth's is 22 to 67; check the chip's scale, and keep away "
                + "from magnets"
        case .normAgainstModel(let norm, let model):
            "the field's norm is \(tenths(norm)) µT, and the world model has \(tenths(model)) here; check the chip's scale "
                + "and the position, and keep away from iron"
        }
    }
}

extension CalibrationRefusal {
    /// Whether the samples cannot come from one field, so that more samples like these do not help.
    var isContradiction: Bool {
        switch self {
        case .notANumber, .saturated, .residualTooLarge, .inconsistent, .impossibleNorm, .normAgainstModel: true
        case .tooFew, .allAlike, .line, .arc, .tooUncertain: false
        }
    }
}

/// A number as text with one decimal.
private func tenths(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
}
