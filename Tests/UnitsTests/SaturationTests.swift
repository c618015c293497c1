import SextantUnits
import Testing

@Suite("Numbers that do not fit")
struct SaturationTests {
    @Test func `a number becomes the nearest whole one, or the nearest bound`() {
        #expect(Int(saturating: 2.5) == 3 && Int(saturating: -2.5) == -3)
        #expect(Int(saturating: 2.9, .towardZero) == 2 && Int(saturating: 2.1, .up) == 3)
        #expect(Int64(saturating: 1e300) == .max && Int64(saturating: -.infinity) == .min)
        #expect(UInt8(saturating: 255.4) == 255 && UInt8(saturating: 256) == 255 && UInt8(saturating: -1) == 0)
        #expect(Int32(saturating: .nan) == 0)
        #expect(Int64(saturating: 0x1p63) == .max && Int64(saturating: -0x1p63) == .min)
    }

    @Test func `instants end at the last one that can be written`() {
        let last = MonotonicInstant(nanoseconds: .max)
        #expect(last.advanced(byNanoseconds: 1) == last)
        #expect(MonotonicInstant.zero.advanced(bySeconds: .infinity) == last)
        #expect(MonotonicInstant.zero.advanced(bySeconds: .nan) == .zero)
        #expect(MonotonicInstant(nanoseconds: .min).nanoseconds(since: last) == .min)
        #expect(last.nanoseconds(since: MonotonicInstant(nanoseconds: -1)) == .max)
        #expect(UTCInstant(nanoseconds: .min).advanced(byNanoseconds: -1) == UTCInstant(nanoseconds: .min))
        #expect(
            CivilDate(year: 9999, month: 12, day: 31).map { UTCInstant(date: $0, timeOfDay: 5) }
                == UTCInstant(nanoseconds: .max))
    }
}
