/// The receiver's memory that a backup supply keeps while the main supply is off.
struct RetainedMemory: Sendable {
    /// Whether the receiver's real-time clock runs and shows a time.
    var isTimeKnown = false
    var isPositionKnown = false
    /// The time at which the ephemerides were received, in seconds since 1970; nil if there are none.
    var ephemerisTime: Double?
    /// Whether the host has given a time whose error exceeds its stated accuracy.
    var isTimeBad = false
}
