import Magnetism

/// How many headings there were, and how they kept their word.
struct HeadingTally: CustomStringConvertible {
    var count = 0
    var invalid = 0
    var within = 0
    /// Beyond three times the accuracy.
    var far = 0
    var squares = 0.0
    var accuracies = 0.0

    mutating func add(_ heading: CompassHeading, truth: Double) {
        count += 1
        guard heading.headingAccuracy >= 0 else { return invalid += 1 }
        let error = abs(headingDifference(heading.magneticHeading, truth))
        if error <= heading.headingAccuracy { within += 1 }
        if error > 3 * heading.headingAccuracy { far += 1 }
        squares += error * error
        accuracies += heading.headingAccuracy
    }

    private var valid: Double { Double(max(1, count - invalid)) }
    var shareWithin: Double { Double(within) / valid }
    var shareInvalid: Double { Double(invalid) / Double(max(1, count)) }
    /// Of all, also of those that told none.
    var shareFar: Double { Double(far) / Double(max(1, count)) }
    var description: String {
        func two(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return "\(count) headings, \(invalid) invalid, within \(two(100 * shareWithin)) %, beyond three times "
            + "\(two(100 * shareFar)) %, rms \(two((squares / valid).squareRoot()))°, "
            + "mean accuracy \(two(accuracies / valid))°"
    }
}
