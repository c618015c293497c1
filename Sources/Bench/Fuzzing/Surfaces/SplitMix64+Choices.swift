internal import SextantUnits

extension SplitMix64 {
    /// A number from 0 up to but not including `limit`, which must be at least 1.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// True with a probability of 1 in `count`.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }
}
