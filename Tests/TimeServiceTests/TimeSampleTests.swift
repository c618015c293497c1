import GNSS
import SextantUnits
import Testing
import TimeService

@Suite("chrony's datagram")
struct TimeSampleTests {
    @Test func `TIME-04: a sample's 40 bytes are those of chrony's structure`() {
        // Typed from refclock_sock.c by hand: 1 790 000 000 s, 123 456 us, 0.25 s, no pulse, no leap second, the magic.
        let expected: [UInt8] = [
            0x80, 0x3B, 0xB1, 0x6A, 0, 0, 0, 0,
            0x40, 0xE2, 0x01, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0xD0, 0x3F,
            0, 0, 0, 0,
            0, 0, 0, 0,
            0, 0, 0, 0,
            0x4B, 0x43, 0x4F, 0x53,
        ]
        let clock = UTCInstant(nanoseconds: 1_790_000_000_123_456_000)
        let sample = TimeSample(clock: clock, truth: clock.advanced(byNanoseconds: 250_000_000), leap: .none)
        #expect(sample.chronyDatagram == expected)
    }

    @Test(arguments: [0, 1, 500, 999] as [Int64])
    func `TIME-04: the offset is good to 10 ns where the wall clock's time is cut to microseconds`(cut: Int64) {
        let clock = UTCInstant(nanoseconds: 1_790_000_000_123_456_000 + cut)
        let bytes = TimeSample(clock: clock, truth: clock.advanced(byNanoseconds: 5), leap: .none).chronyDatagram
        let bits = (16..<24).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1 - 16)) }
        #expect(abs(Double(bitPattern: bits) - Double(cut + 5) * 1e-9) < 10e-9)
        #expect(bytes[8..<11] == [0x40, 0xE2, 0x01])
    }

    @Test(arguments: [(6, 1, TimeSample.Leap.insert), (12, -1, .delete), (3, 1, .none), (6, 0, .none)])
    func `TIME-04: an announced leap second is told in June and December and not in March`(
        month: UInt8, change: Int8, leap: TimeSample.Leap
    ) {
        let date = CivilDate(year: 2027, month: month, day: 20) ?? CivilDate(daysSince1970: 0)
        var rig = Rig(start: UTCInstant(date: date, timeOfDay: 0))
        rig.epochs(0..<3) {
            $0.leap = LeapKnowledge(isFromSatellites: true, change: change, secondsToChange: 10 * 86_400)
        }
        #expect(rig.samples.map(\.leap) == [leap, leap])
    }

    @Test func `TIME-04: a leap second that was announced the day before is told on its day too`() {
        let date = CivilDate(year: 2026, month: 12, day: 30) ?? CivilDate(daysSince1970: 0)
        var rig = Rig(start: UTCInstant(date: date, timeOfDay: UTCInstant.nanosecondsPerDay - 60_000_000_000))
        rig.epochs(0..<1) {
            $0.leap = LeapKnowledge(isFromSatellites: true, change: 1, secondsToChange: 86_460)
        }
        rig.epochs(1..<120) { $0.leap = nil }
        #expect(rig.samples.count == 119 && rig.samples.allSatisfy { $0.leap == .insert })
    }
}
