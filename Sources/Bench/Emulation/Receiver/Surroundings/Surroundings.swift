import SextantUnits

/// The surroundings of an emulated receiver; they determine its errors and how well its stated accuracies match them.
///
/// A receiver computes the accuracy that it states, here called its claim, from the geometry and from how well its
/// pseudoranges agree. Signals that a wall has reflected agree well enough with each other, so between buildings the
/// claim grows much more slowly than the error.
public enum Surroundings: String, Sendable, Hashable, CaseIterable {
    /// Errors that are independent at each fix, and as large as the accuracy that the receiver states.
    case white
    /// Open sky: errors that drift with a time constant of 60 s, and are as large as the accuracy that the receiver
    /// states.
    case open
    /// Houses and trees: multipath of 3 to 8 m in addition to the error under open sky.
    case suburban
    /// Streets between high buildings: multipath of 6 to 30 m in addition to the error under open sky.
    case urban
    /// Stretches of open sky, suburb and city, one after another.
    case mixed

    /// The size of the multipath error along one kind of stretch, and its effect on the accuracy that the receiver
    /// states (its claim).
    ///
    /// Representative range errors of the GPS C/A code are 0.2 m in the open, 1 to 2 m in rural and suburban places and
    /// 5 m between buildings (Eissfeller et al. 2007, as quoted in Journal of Space Weather and Space Climate 3 (2013)
    /// A11, table 1), and time constants of multipath in Gauss-Markov models are 10 to 900 s (Gallon, Joerger and
    /// Pervan, NAVIGATION 69 (2022)). The deviations were chosen so that medians and 95 % quantiles are close to those
    /// of drives with two phones and a surveyed truth: 2.8 and 8.2 m in a suburb, 8.4 and 34.8 m in a city. The
    /// following are assumptions: the length of a stretch, the effect on velocities, and how claims grow with the error
    /// (`claimExponent`).
    struct Stretch: Sendable {
        /// The range of the multipath error's standard deviation on each axis, in metres.
        var sigma: ClosedRange<Double>
        /// The range of the time constant in seconds, after which the correlation of the multipath error has fallen to
        /// 1/e.
        var timeConstant: ClosedRange<Double>
        /// The range of the time in motion, in seconds, after which the satellites in sight and their reflections
        /// change.
        var duration: ClosedRange<Double>
        /// The factor by which the velocity's error is larger than under open sky.
        var velocityFactor: Double

        /// The exponent with which the stated accuracy grows with the error: 0 if it never grows, 1 if it grows in
        /// proportion to the error.
        static let claimExponent = 0.35

        static let suburb = Stretch(
            sigma: 3...8, timeConstant: 40...60, duration: 60...240, velocityFactor: 1.5)
        static let city = Stretch(
            sigma: 6...30, timeConstant: 20...40, duration: 20...120, velocityFactor: 3)
    }

    /// Draws at random the next stretch of the way; nil for a stretch without multipath.
    func stretch(_ random: inout SplitMix64) -> Stretch? {
        switch self {
        case .white, .open: return nil
        case .suburban: return .suburb
        case .urban: return .city
        case .mixed:
            let share = random.nextUnit()
            return share < 1.0 / 3 ? nil : share < 2.0 / 3 ? .suburb : .city
        }
    }
}
