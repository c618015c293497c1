/// The assumed distribution of a receiver's time to first fix, before any start was observed.
///
/// Unit: seconds. A start is `boot` and a log-normal search: `median` is its median, `spread` the standard deviation of
/// its logarithm.
/// Source: 24 h of fixes every ten minutes with u-blox 6 to 8, MTK and Quectel receivers (LoRaTracker), whose mean
/// on-time of a hot start is 10 s, and the receivers' data sheets for cold starts.
public struct StartTimes: Sendable, Hashable {
    public struct Search: Sendable, Hashable {
        public var median: Double
        public var spread: Double

        public init(median: Double, spread: Double) {
            self.median = median
            self.spread = spread
        }
    }

    /// From switching on the supply, or the wake edge, to the first byte and the start of the search.
    public var boot: Double
    public var hot: Search
    public var warm: Search
    public var cold: Search
    /// Age of the ephemeris in seconds at which warm starts begin, and from which all starts are warm.
    public var ephemerisFades: Double
    public var ephemerisGone: Double

    public init(
        boot: Double, hot: Search, warm: Search, cold: Search, ephemerisFades: Double = 7200,
        ephemerisGone: Double = 14_400
    ) {
        self.boot = boot
        self.hot = hot
        self.warm = warm
        self.cold = cold
        self.ephemerisFades = ephemerisFades
        self.ephemerisGone = ephemerisGone
    }
}
