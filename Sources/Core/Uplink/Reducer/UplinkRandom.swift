/// A small random generator with a seed: devices then reconnect at different instants, and a test can be repeated.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 14.
struct UplinkRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 up to a bound, evenly distributed.
    mutating func below(_ bound: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53 * bound
    }
}
