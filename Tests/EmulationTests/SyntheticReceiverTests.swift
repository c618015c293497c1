import Emulation
import GNSS
import Glibc
import SextantUnits
import Testing

@Suite("SyntheticReceiver") struct SyntheticReceiverTests {
    @Test(arguments: SyntheticReceiver.Output.allCases)
    func `gives the same bytes for the same seed and different ones for another`(output: SyntheticReceiver.Output) {
        var other = Samples.configuration(output)
        other.seed += 1
        #expect(Samples.bursts(90, Samples.configuration(output)) == Samples.bursts(90, Samples.configuration(output)))
        #expect(Samples.bursts(90, Samples.configuration(output)) != Samples.bursts(90, other))
    }

    @Test(arguments: SyntheticReceiver.Output.allCases, [1, 3, 10])
    func `sends only messages with correct checksums`(output: SyntheticReceiver.Output, rate: Int) {
        var configuration = Samples.configuration(output)
        configuration.rate = rate
        configuration.hasSystemIdentifiers = rate == 3
        for burst in Samples.bursts(60 * rate, configuration) {
            #expect(Samples.messages(burst.bytes) != nil)
            #expect(Samples.sentences(burst).allSatisfy { $0.joined(separator: ",").utf8.count <= 76 })
        }
    }

    @Test func `sends the messages of an epoch in the order of a u-blox M8`() throws {
        var configuration = Samples.configuration(.both)
        configuration.acquisition = .none
        let messages = try #require(Samples.messages(Samples.bursts(1, configuration)[0].bytes))
        var names: [String] = []
        for name in messages.map(\.name) where names.last != name { names.append(name) }
        #expect(
            names == [
                "UBX-7", "UBX-53", "UBX-4", "GNRMC", "GNVTG", "GNGGA", "GNGSA", "GPGSV", "GLGSV", "GAGSV", "GBGSV",
                "GNGLL", "UBX-97",
            ])
        #expect(messages.count { $0.name == "GNGSA" } == 4)
    }

    @Test func `keeps its rate and reports the satellites once a second`() {
        var configuration = Samples.configuration(.ubx)
        configuration.rate = 5
        let bursts = Samples.bursts(50, configuration)
        #expect(bursts.map(\.offset) == (0..<50).map { $0 * 200_000_000 })
        #expect(Samples.payloads(bursts, id: 0x35).count == 10)
        #expect(Samples.payloads(bursts, id: 0x61).count == 50)
    }

    @Test func `acquires the time, the date, a 2D fix and a 3D fix in this order`() {
        let bursts = Samples.bursts(32, Samples.configuration(.nmea))
        let minimum = bursts.map { Samples.sentences($0)[0] }
        #expect(Samples.messages(bursts[0].bytes)?.first == .sentence("GNRMC,,V,,,,,,,,,,N"))
        #expect(minimum[6][1] == "" && minimum[7][1] == "100007.00")
        #expect(minimum[12][9] == "" && minimum[13][9] == "010326")
        #expect(minimum[25][2] == "V" && minimum[26][2] == "A")
        let modes = bursts.map { burst in Samples.sentences(burst).first { $0[0] == "GNGSA" }?[2] }
        #expect(modes[25] == "1" && modes[26] == "2" && modes[28] == "2" && modes[29] == "3")
    }

    @Test func `before a fix it reports only the tracked satellites, without elevation and azimuth`() {
        let bursts = Samples.bursts(27, Samples.configuration(.nmea))
        let views = bursts.map { burst in Samples.sentences(burst).filter { $0[0].hasSuffix("GSV") } }
        #expect(views[0] == ["GP", "GL", "GA", "GB"].map { [$0 + "GSV", "1", "1", "00"] })
        #expect(views[20].allSatisfy { $0.count < 8 || ($0[5].isEmpty && $0[6].isEmpty && !$0[7].isEmpty) })
        #expect(views[20].contains { $0.count >= 8 })
        #expect(views[26].allSatisfy { $0.count < 8 || (!$0[5].isEmpty && !$0[6].isEmpty) })
    }

    @Test func `writes the standard empty sentences before a fix`() throws {
        let messages = try #require(Samples.messages(Samples.bursts(1, Samples.configuration(.nmea))[0].bytes))
        #expect(messages.contains(.sentence("GNVTG,,,,,,,,,N")))
        #expect(messages.contains(.sentence("GNGGA,,,,,,0,00,99.99,,,,,,")))
        #expect(messages.contains(.sentence("GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99")))
        #expect(messages.contains(.sentence("GNGLL,,,,,,V,N")))
    }

    @Test func `the time of week includes 18 leap seconds`() {
        var configuration = Samples.configuration(.ubx)
        configuration.acquisition = .none
        let fixes = Samples.payloads(Samples.bursts(3, configuration), id: 0x07)
        #expect(fixes.allSatisfy { $0.count == 92 })
        #expect(fixes.map { Samples.uint32($0, 0) } == [36_018_000, 36_019_000, 36_020_000])
        #expect(Array(fixes[0][4...11]) == [0xEA, 0x07, 3, 1, 10, 0, 0, 0x07])
    }

    @Test func `uses the system and signal IDs of NMEA 4.11`() {
        var configuration = Samples.configuration(.nmea)
        configuration.acquisition = .none
        configuration.hasSystemIdentifiers = true
        let sentences = Samples.sentences(Samples.bursts(1, configuration)[0])
        #expect(sentences.filter { $0[0] == "GNGSA" }.map { $0.last } == ["1", "2", "3", "4"])
        #expect(sentences.filter { $0[0] == "GNGSA" }.allSatisfy { $0.count == 19 })
        #expect(sentences.first { $0[0] == "GAGSV" }?.last == "7")
    }

    @Test func `before NMEA 4.11 no satellite number means two satellites`() {
        var configuration = Samples.configuration(.nmea)
        configuration.acquisition = .none
        let sentences = Samples.sentences(Samples.bursts(1, configuration)[0])
        let used = sentences.filter { $0[0] == "GNGSA" }.flatMap { $0[3..<15] }.filter { !$0.isEmpty }
        #expect(used.count > 12 && Set(used).count == used.count)
        #expect(
            used.contains { $0.hasPrefix("3") && $0.count == 3 } && used.contains { $0.hasPrefix("4") && $0.count == 3 }
        )
    }

    @Test func `its stated horizontal accuracy of about 1.5 m holds 68 percent of the errors`() {
        var configuration = Samples.configuration(.ubx)
        configuration.acquisition = .none
        let drive = SyntheticDrive(start: Samples.place, seed: 3)
        var (inside, squares, total) = (0, 0.0, 0)
        for seed in 0..<200 as Range<UInt64> {
            configuration.seed = seed
            for (index, fix) in Samples.payloads(Samples.bursts(3, configuration), id: 0x07).enumerated() {
                let truth = drive.motion(atSeconds: Double(index))
                let north = (Double(Samples.int32(fix, 28)) / 1e7 - truth.latitude) * 111_270
                let east = (Double(Samples.int32(fix, 24)) / 1e7 - truth.longitude) * 67_770
                inside += hypot(north, east) * 1000 <= Double(Samples.uint32(fix, 40)) ? 1 : 0
                squares += north * north + east * east
                total += 1
            }
        }
        #expect((0.58...0.78).contains(Double(inside) / Double(total)))
        #expect((1.0...2.2).contains((squares / Double(total)).squareRoot()))
    }
}
