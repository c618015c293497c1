/// Turns a power draw and a duration into whole nanojoules; the remainder is kept for the next call.
///
/// The sum of all results is therefore less than a nanojoule short of the true energy.
struct EnergyMeter: Sendable {
    /// Attojoules (nanowatts times nanoseconds) not yet returned, less than a nanojoule.
    private var rest: UInt64 = 0

    private static let attojoulesPerNanojoule: UInt64 = 1_000_000_000

    /// Nanojoules spent at this draw in this time.
    mutating func spend(nanowatts: UInt64, nanoseconds: UInt64) -> Int64 {
        let product = nanowatts.multipliedFullWidth(by: nanoseconds)
        let (low, overflow) = product.low.addingReportingOverflow(rest)
        let high = product.high &+ (overflow ? 1 : 0)
        let (quotient, remainder) = EnergyMeter.attojoulesPerNanojoule.dividingFullWidth((high, low))
        rest = remainder
        return Int64(quotient)
    }
}
