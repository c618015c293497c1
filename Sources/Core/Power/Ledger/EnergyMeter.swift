/// Turns a draw and a time into whole nanojoules; what is less than one is kept for the next time.
///
/// So the sum of all it ever gave is the true energy, less than a nanojoule short of it.
struct EnergyMeter: Sendable {
    /// Attojoules (nanowatts times nanoseconds) not yet given out, less than a nanojoule.
    private var rest: UInt64 = 0

    private static let attojoulesPerNanojoule: UInt64 = 1_000_000_000

    /// Nanojoules spent at so many nanowatts in so many nanoseconds.
    mutating func spend(nanowatts: UInt64, nanoseconds: UInt64) -> Int64 {
        let product = nanowatts.multipliedFullWidth(by: nanoseconds)
        let (low, overflow) = product.low.addingReportingOverflow(rest)
        let high = product.high &+ (overflow ? 1 : 0)
        let (quotient, remainder) = EnergyMeter.attojoulesPerNanojoule.dividingFullWidth((high, low))
        rest = remainder
        return Int64(quotient)
    }
}
