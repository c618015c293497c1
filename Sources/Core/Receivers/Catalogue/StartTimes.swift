/// The assumed distribution of a receiver's time to first fix, before any start was observed.
///
/// Unit: seconds. The time to first fix is `boot` plus a search time, which is log-normally distributed: `median` is
/// its median, and `spread` the standard deviation of its natural logarithm.
/// Source: for hot starts, LoRaTracker's fixes every ten minutes for 24 h with u-blox 6 to 8, MTK and Quectel receivers
/// (mean on-time 10 s); for cold starts, the receivers' data sheets.
public struct StartTimes: Sendable, Hashable {
    public struct Search: Sendable, Hashable {
        public var median: Double
        public var spread: Double

        public init(median: Double, spread: Double) {
            self.median = median
            self.spread = spread
        }
    }

    /// Seconds from switching on the supply, or from the edge that wakes the receiver, until the first byte and the
    /// start of the search.
    public var boot: Double
    public var hot: Search
    public var warm: Search
    public var cold: Search
    /// The age of the ephemeris, in seconds, above which some starts are warm instead of hot; from the age
    /// `ephemerisGone` on, all of them are.
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
