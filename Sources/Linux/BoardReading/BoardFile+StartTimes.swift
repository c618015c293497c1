internal import JSONReading
internal import Receivers

extension BoardFile {
    /// What is measured of the receiver's starts; what is not given is the model's.
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
        guard times.hot.median < times.warm.median else {
            throw inner.wrong(
                "hot.median", .number(times.hot.median),
                expected: "under warm.median, which is \(JSONValue.number(times.warm.median).written)")
        }
        return times
    }

    private static func takeSearch(
        _ key: String, usual: StartTimes.Search, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> StartTimes.Search {
        guard var inner = try section.takeSection(key) else { return usual }
        guard let median = try inner.takeNumber("median", in: 0.1...600, "seconds") else {
            throw inner.missing("median", "give its median in seconds, such as median: \(usual.median)")
        }
        let spread = try inner.takeNumber("spread", in: 0.02...2, "a standard deviation of the logarithm")
        try inner.finish()
        return StartTimes.Search(median: median, spread: spread ?? usual.spread)
    }
}
