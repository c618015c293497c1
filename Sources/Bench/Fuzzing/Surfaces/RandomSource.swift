/// A small seeded generator of pseudorandom numbers, so that a run can be repeated.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 14.
struct RandomSource {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including `limit`, which must be at least 1.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// True with a probability of 1 in `count`.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }
}
