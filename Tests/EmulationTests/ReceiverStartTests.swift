import Emulation
import Epochs
import GNSS
import Receivers
import SextantUnits
import Testing
import UBX

@Suite("EmulatedReceiver: starts and the sky") struct ReceiverStartTests {
    /// Seconds to the first fix of 200 receivers.
    private func starts(_ model: ReceiverModel, ephemerisAge: Double?) -> [Double] {
        (0..<200 as Range<UInt64>).compactMap { seed in
            var bench = HostBench(model, seed: seed) { $0.ephemerisAgeAtStart = ephemerisAge }
            return bench.runUntilTracking(limit: 300)
        }
    }

    @Test func `a start is hot while the ephemerides are less than two hours old`() {
        let starts = starts(.neoM8N, ephemerisAge: 7000)
        #expect(starts.count == 200)
        #expect((4.2...5.8).contains(starts.median))
        #expect((5.5...7.7).contains(starts.mean))
        #expect(starts.allSatisfy { $0 > 1.2 })
    }

    @Test func `the share of warm starts rises with ephemerides between two and four hours old`() {
        let early = starts(.neoM8N, ephemerisAge: 9000).count { $0 > 15 }
        let late = starts(.neoM8N, ephemerisAge: 12_600).count { $0 > 15 }
        #expect((35...75).contains(early))
        #expect((130...170).contains(late))
    }

    @Test func `with ephemerides over four hours old every start is warm, and cold when nothing is known`() {
        let warm = starts(.neoM8N, ephemerisAge: 15_000)
        let cold = starts(.neoM8N, ephemerisAge: nil)
        #expect((26...30).contains(warm.median) && warm.allSatisfy { $0 > 10 })
        #expect((29...34).contains(cold.median) && cold.allSatisfy { $0 > 15 && $0 < 65 })
    }

    @Test func `with that option each start takes the median time of its kind`() {
        for seed in 0..<20 as Range<UInt64> {
            var bench = HostBench(.neoM8N, seed: seed) {
                $0.ephemerisAgeAtStart = 7000
                $0.searchesTakeMedian = true
            }
            let seconds = bench.runUntilTracking(limit: 300) ?? 0
            #expect((4.9...5.1).contains(seconds), "1 s until it has booted, and 4 s")
        }
    }

    @Test func `the same seed gives the same bytes, in steps of any size`() {
        var first = HostBench(.neoM8N, seed: 5)
        var second = HostBench(.neoM8N, seed: 5)
        first.run(to: 120)
        for step in 1...1200 { second.run(to: Double(step) / 10) }
        #expect(first.sentences.map(\.text) == second.sentences.map(\.text))
        #expect(first.sentences.map(\.time) == second.sentences.map(\.time))
        #expect(first.sentences.count > 1000)
    }

    @Test func `ten seconds of tracking do not renew the ephemerides, and forty do`() {
        func warmStarts(tracking seconds: Double) -> Int {
            (0..<40 as Range<UInt64>).count { seed in
                var bench = HostBench(.neoM8N, seed: seed) { $0.ephemerisAgeAtStart = 3600 }
                guard let fix = bench.runUntilTracking(limit: 120) else { return false }
                bench.run(to: fix + seconds)
                bench.set(.powerEnable, false)
                bench.run(to: fix + seconds + 7000)
                let start = bench.now
                bench.set(.powerEnable, true)
                guard let again = bench.runUntilTracking(limit: start + 120) else { return false }
                return again - start > 18
            }
        }
        #expect(warmStarts(tracking: 10) > 8)
        #expect(warmStarts(tracking: 40) <= 3)
    }

    @Test func `sends nothing for a second after power-on, then NMEA at 9600 baud without a fix`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 1)
        #expect(bench.byteCount == 0)
        bench.run(to: 10)
        #expect(bench.receiver.baud == 9600)
        #expect(bench.sentences.contains { $0.text.hasPrefix("GNTXT,01,01,02,u-blox") })
        let minimum = bench.sentences.filter { $0.text.hasPrefix("GNRMC") }
        #expect(minimum.count >= 7 && minimum.allSatisfy { $0.text.contains(",V,") })
        #expect(bench.counters.skippedBytes == 0 && bench.counters.checksumFailures == 0)
    }

    @Test func `keeps the time with a backup supply and reports it before the first fix`() {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 20_000 }
        bench.run(to: 0.9)
        bench.configureM8()
        bench.run(to: 8)
        let positions = bench.positions
        #expect(positions.count >= 6)
        #expect(positions.allSatisfy { $0.isTimeValid && $0.isDateValid && !$0.isFixOK && $0.fixType == .noFix })
        #expect(positions.last?.utc == UTCInstant(nanoseconds: 1_800_000_007_000_000_000))
    }

    @Test func `loses its fix within two seconds indoors and starts again outdoors`() {
        let indoors = MaskIntervals(intervals: [HostBench.start + 100..<HostBench.start + 200])
        var bench = HostBench(.neoM8N, mask: indoors) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 0.9)
        bench.configureM8()
        bench.run(to: 99.9)
        #expect(bench.receiver.powerState == .track)
        bench.clear()
        bench.run(to: 102.2)
        #expect(bench.receiver.powerState == .acquire)
        bench.run(to: 200)
        #expect(bench.positions.count == 100)
        #expect(bench.positions.dropFirst(3).allSatisfy { $0.fixType == .noFix && !$0.isFixOK })
        let again = bench.runUntilTracking(limit: 300)
        #expect(again.map { $0 > 200.2 } == true)
    }

    @Test func `a search that began indoors finds no fix until the receiver is outdoors`() {
        let indoors = MaskIntervals(intervals: [HostBench.start - 10..<HostBench.start + 5000])
        var bench = HostBench(.neoM8N, mask: indoors)
        #expect(bench.runUntilTracking(limit: 4999) == nil)
        #expect(bench.receiver.powerState == .acquire)
        #expect(abs(bench.receiver.energy - 96 * bench.now) < 1)
        let fix = bench.runUntilTracking(limit: 5100)
        #expect(fix.map { $0 > 5015 } == true)
    }

    @Test func `the stated accuracy radius holds two thirds of the errors`() {
        var (inside, all) = (0, 0)
        for seed in 0..<30 as Range<UInt64> {
            var bench = HostBench(.neoM8N, seed: seed) { $0.ephemerisAgeAtStart = 60 }
            bench.run(to: 0.9)
            bench.configureM8()
            bench.run(to: 1200)
            for position in bench.positions where position.isFixOK {
                let north = (Double(position.latitudeE7) / 1e7 - 47.4) * 111_180
                let east = (Double(position.longitudeE7) / 1e7 - 8.5) * 75_400
                let error = (north * north + east * east).squareRoot()
                all += 1
                inside += error * 1000 <= Double(position.horizontalAccuracyMillimetres) ? 1 : 0
            }
        }
        #expect(all > 30_000)
        #expect((0.63...0.73).contains(Double(inside) / Double(all)))
    }

    @Test func `with understated accuracy the radius is a third, and the first seconds after a fix are worse`() {
        func radii(scale: Double) -> [Double] {
            var bench = HostBench(.neoM8N) {
                $0.ephemerisAgeAtStart = 60
                $0.accuracyScale = scale
            }
            bench.run(to: 0.9)
            bench.configureM8()
            bench.run(to: 200)
            return bench.positions.filter(\.isFixOK).map { Double($0.horizontalAccuracyMillimetres) }
        }
        let honest = radii(scale: 1)
        let lying = radii(scale: 1.0 / 3)
        #expect(zip(honest, lying).allSatisfy { abs($0 / 3 - $1) <= 1 })
        #expect(honest[0] > 1.4 * honest[30])
        #expect((4000...5100).contains(honest.median))
    }

    @Test func `the NMEA output states the same accuracy as HDOP`() throws {
        var bench = HostBench(.pa1616) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 200)
        let last = try #require(bench.sentences.last { $0.text.hasPrefix("GNGGA") })
        let fields = last.text.split(separator: ",", omittingEmptySubsequences: false)
        let dilution = try #require(Double(fields[8]))
        #expect((0.89...1.12).contains(dilution))
    }
}
