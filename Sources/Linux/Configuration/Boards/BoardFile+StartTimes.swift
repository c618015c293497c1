internal import Glibc
internal import Receivers
internal import SextantJSON

extension BoardFile {
    /// The 90 % quantile of the standard normal distribution: nine in ten values are below it.
    private static let nineInTen = 1.2816
    /// The smallest accepted spread of a start time: the standard deviation of its natural logarithm.
    ///
    /// That a few measurements agree does not prove that every start takes equally long.
    private static let minimumSpread = 0.02

    /// Reads the receiver's measured start times, in seconds; for a time that the file does not give, the model's
    /// typical value is used.
    static func takeStartTimes(
        of model: ReceiverModel, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> StartTimes {
        var times = model.startTimes
        guard var inner = try section.takeSection("startSeconds") else { return times }
        times.boot = try inner.takeNumber("boot", in: 0...60, "seconds") ?? times.boot
        times.hot = try takeSearch("hot", usual: times.hot, from: &inner)
        times.warm = try takeSearch("warm", usual: times.warm, from: &inner)
        times.cold = try takeSearch("cold", usual: times.cold, from: &inner)
        times.ephemerisFades = try inner.takeNumber("ephemerisFades", in: 0...86_400, "seconds") ?? times.ephemerisFades
        times.ephemerisGone = try inner.takeNumber("ephemerisGone", in: 1...172_800, "seconds") ?? times.ephemerisGone
        try inner.finish()
        guard times.ephemerisGone > times.ephemerisFades else {
            throw inner.wrong(
                "ephemerisGone", .number(times.ephemerisGone),
                expected: "over ephemerisFades, which is \(JSONValue.number(times.ephemerisFades).written)")
        }
        guard times.hot.median <= times.warm.median else {
            throw inner.wrong(
                "hot", .number(times.hot.median),
                expected: "at most warm, which is \(JSONValue.number(times.warm.median).written)")
        }
        return times
    }

    /// Reads the times of one kind of start, such as a cold start: the median time to a fix, and the time within which
    /// nine in ten starts give one.
    private static func takeSearch(
        _ key: String, usual: StartTimes.Search, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> StartTimes.Search {
        let median = try section.takeNumber(key, in: 0.1...600, "seconds") ?? usual.median
        guard let most = try section.takeNumber("\(key)NineInTen", in: 0.1...600, "seconds") else {
            return StartTimes.Search(median: median, spread: usual.spread)
        }
        guard most >= median else {
            throw section.wrong(
                "\(key)NineInTen", .number(most),
                expected: "\(key) or more, which is \(JSONValue.number(median).written)")
        }
        return StartTimes.Search(median: median, spread: max(log(most / median) / nineInTen, minimumSpread))
    }
}
