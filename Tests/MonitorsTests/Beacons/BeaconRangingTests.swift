import Beacons
import Emulation
import SextantUnits
import Testing

@testable import Monitors

/// Ranging, as `../shared/spec/beacons.md` 1, 4.4 and 7.3 have it.
@Suite("How near beacons are")
struct BeaconRangingTests {
    private var ranging = BeaconRanging()

    /// Ten advertisements in the second before.
    private mutating func hear(
        _ strength: Int8?, of beacon: Beacon = beacon(), from address: SenderAddress = sender(), second: Double,
        isMoving: Bool = false
    ) {
        for tenth in 0..<10 {
            ranging.heard(
                beacon, from: address, strength: strength, isMoving: isMoving,
                at: seconds(second - 1 + Double(tenth) / 10))
        }
    }

    @Test mutating func `BEAC-30: the strength is the mean of the last second, rounded`() {
        for strength in [-60, -61, -70, -63] as [Int8] {
            ranging.heard(beacon(), from: sender(), strength: strength, isMoving: false, at: seconds(1))
        }
        #expect(ranging.report(at: seconds(1)).map(\.strength) == [-64], "of -63.5")
        ranging.heard(beacon(), from: sender(), strength: -80, isMoving: false, at: seconds(1.5))
        #expect(ranging.report(at: seconds(2)).map(\.strength) == [-80])
    }

    @Test mutating func `BEAC-31: a sender that stops is unknown within 3 s and absent within 11 s`() throws {
        hear(-60, second: 1)
        #expect(try #require(ranging.report(at: seconds(1)).first).proximity != .unknown)
        let lost = try #require(ranging.report(at: seconds(3)).first)
        #expect(lost.strength == 0 && lost.distance == nil && lost.accuracy == nil && lost.proximity == .unknown)
        #expect(ranging.report(at: seconds(10.8)).count == 1)
        #expect(ranging.report(at: seconds(11)).isEmpty)
    }

    @Test mutating func `BEAC-32: the nearest comes first, and unknown ones last`() {
        hear(-70, of: beacon(major: 3), second: 1)
        hear(nil, of: beacon(major: 4), second: 1)
        hear(-50, of: beacon(major: 1), second: 1)
        hear(-60, of: beacon(major: 2), second: 1)
        #expect(ranging.report(at: seconds(1)).map(\.identity.major) == [1, 2, 3, 4])
    }

    @Test mutating func `BEAC-33: two senders of one identity are two, and an address that is left goes after 10 s`() {
        hear(-60, from: sender(1), second: 1)
        hear(-70, from: sender(2), second: 1)
        #expect(ranging.report(at: seconds(1)).count == 2)
        for second in 2...11 { hear(-70, from: sender(2), second: Double(second)) }
        #expect(ranging.report(at: seconds(11)).count == 1)
    }

    @Test mutating func `two beacons with one identity are told to be two, and one that changes its address is not`() {
        for second in 1...20 {
            hear(-60, from: sender(second < 6 ? 1 : 2), second: Double(second))
            hear(-70, of: beacon(major: 2), from: sender(3), second: Double(second))
            hear(-65, of: beacon(major: 2), from: sender(4), second: Double(second))
            let counts = Set(ranging.report(at: seconds(Double(second))).map { [Int($0.identity.major), $0.senders] })
            #expect(counts == [[1, 1], [2, second > 10 ? 2 : 1]], "after \(second) s")
        }
    }

    @Test mutating func `BEAC-13: a beacon whose strength is never told has none, no distance and no proximity`() throws
    {
        hear(nil, second: 1)
        let told = try #require(ranging.report(at: seconds(1)).first)
        #expect(told.strength == 0 && told.distance == nil && told.proximity == .unknown)
        ranging.heard(beacon(), from: sender(), strength: -60, isMoving: false, at: seconds(1.2))
        hear(nil, second: 2)
        #expect(try #require(ranging.report(at: seconds(2)).first).strength == -60, "others keep to their own")
    }

    @Test mutating func `BEAC-14: without a power that can be true the distance is unknown`() throws {
        hear(-60, of: beacon(power: 5), second: 1)
        let told = try #require(ranging.report(at: seconds(1)).first)
        #expect(told.strength == -60 && told.distance == nil && told.proximity == .unknown)
    }

    @Test mutating func `BEAC-37: a sender that is suddenly 8 m away is far within 5 s, where the board moves`() throws
    {
        for second in 1...60 { hear(-59, second: Double(second)) }
        #expect(try #require(ranging.report(at: seconds(60)).first).proximity == .near)
        for second in 61...65 { hear(-77, second: Double(second), isMoving: true) }
        #expect(try #require(ranging.report(at: seconds(65)).first).proximity == .far)
    }

    @Test mutating func `BEAC-47: a thousand and more identities a second need bounded room`() {
        for number in 0..<3000 {
            ranging.heard(
                beacon(major: UInt16(number)), from: sender(), strength: -60, isMoving: false,
                at: seconds(Double(number) / 1000))
        }
        #expect(ranging.count == BeaconRanging.maximumSenders)
        #expect(ranging.report(at: seconds(3)).contains { $0.identity.major == 2999 })
    }

    @Test func `the estimate settles on the distance of its law`() {
        var distance = BeaconDistance(at: .zero)
        #expect(abs(distance.metres - 3) < 0.001, "before anything is heard")
        for second in 1...600 {
            distance.heard(strength: -70, power: -59, isMoving: false, at: seconds(Double(second)))
        }
        // 10^(0.8 · (11 + 2) / 18 + 0.2 · log 2)
        #expect(abs(distance.metres - 4.346) < 0.05, "\(distance.metres)")
        #expect(abs(distance.accuracy / distance.metres - 1.3) < 1e-9)
    }

    @Test func `the power that fits several places is the mean of what each says, and lacks the offset of one`() {
        let model = BeaconDistance.Model(offset: 2, exponent: 2, measuredShare: 1, accuracyShare: 1)
        #expect(abs(model.power(fitting: [(1, -60)]) + 60) < 1e-9)
        // 10 m lose 20 dB: the places say -60 and -64 at 1 m.
        #expect(abs(model.power(fitting: [(1, -60), (10, -84)]) + 64) < 1e-9)
    }

    @Test func `a class changes only where its limit is clearly passed`() {
        #expect(BeaconProximity.unknown.after(0.51) == .near)
        #expect(BeaconProximity.near.after(0.45) == .near && BeaconProximity.near.after(0.39) == .immediate)
        #expect(BeaconProximity.near.after(3.7) == .near && BeaconProximity.near.after(3.8) == .far)
        #expect(BeaconProximity.far.after(2.5) == .far && BeaconProximity.far.after(2.3) == .near)
        #expect(BeaconProximity.immediate.after(3.2) == .near && BeaconProximity.far.after(0.45) == .near)
    }
}

extension BeaconRanging {
    /// What a second's report has, after which the next second begins.
    fileprivate mutating func report(at instant: MonotonicInstant) -> [RangedBeacon] {
        defer { beginSecond(at: instant) }
        return nearest(.max, at: instant)
    }
}
