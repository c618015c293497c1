public import GNSS

/// The times at which an emulated receiver reaches each stage on the way to its first fix, in seconds since it was
/// switched on.
public struct Acquisition: Sendable, Hashable {
    /// A stage of the receiver's start, named after what the receiver knows; the cases are in the order of the stages.
    public enum Stage: Sendable, Hashable, CaseIterable {
        case nothing
        /// The time of day.
        case time
        /// The time and the date.
        case date
        case twoD
        case threeD

        public var fixType: FixType {
            switch self {
            case .nothing, .time, .date: .noFix
            case .twoD: .twoD
            case .threeD: .threeD
            }
        }
    }

    public var timeSeconds: Double
    public var dateSeconds: Double
    public var twoDSeconds: Double
    public var threeDSeconds: Double

    public init(timeSeconds: Double, dateSeconds: Double, twoDSeconds: Double, threeDSeconds: Double) {
        precondition(
            0 <= timeSeconds && timeSeconds <= dateSeconds && dateSeconds <= twoDSeconds
                && twoDSeconds <= threeDSeconds && threeDSeconds.isFinite,
            "an acquisition learns time, date, 2D and 3D in this order"
        )
        self.timeSeconds = timeSeconds
        self.dateSeconds = dateSeconds
        self.twoDSeconds = twoDSeconds
        self.threeDSeconds = threeDSeconds
    }

    /// Nothing is known at first: 29 s to the first 3D fix, as under an open sky.
    public static let coldStart = Acquisition(timeSeconds: 7, dateSeconds: 13, twoDSeconds: 26, threeDSeconds: 29)
    /// Time, place and ephemerides are known at first: 2 s to the first 3D fix.
    public static let hotStart = Acquisition(timeSeconds: 0, dateSeconds: 0, twoDSeconds: 1, threeDSeconds: 2)
    /// The receiver has a fix from its first epoch on.
    public static let none = Acquisition(timeSeconds: 0, dateSeconds: 0, twoDSeconds: 0, threeDSeconds: 0)

    public func stage(atSeconds seconds: Double) -> Stage {
        if seconds >= threeDSeconds { return .threeD }
        if seconds >= twoDSeconds { return .twoD }
        if seconds >= dateSeconds { return .date }
        return seconds >= timeSeconds ? .time : .nothing
    }

    /// The share of the satellites that the receiver has found: it grows evenly, to two thirds at the 3D fix and to all
    /// at 1.5 times that time.
    func share(atSeconds seconds: Double) -> Double {
        threeDSeconds > 0 ? min(seconds / (threeDSeconds * 1.5), 1) : 1
    }
}
