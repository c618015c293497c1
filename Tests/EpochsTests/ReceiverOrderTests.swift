import Epochs
import GNSS
import SextantUnits
import Testing

@Suite("One whole fix an epoch, in every receiver's order")
struct ReceiverOrderTests {
    private func expectWhole(_ epochs: [Epoch], from second: Int, _ location: SourceLocation = #_sourceLocation) {
        for (index, epoch) in epochs.enumerated() {
            let fix = epoch.fix
            #expect(fix.time == day(2026, 9, 20, seconds: Int64(second + index)), sourceLocation: location)
            #expect(fix.isTimeValidated && fix.type == .threeD && fix.quality == .autonomous, sourceLocation: location)
            #expect(fix.latitude == latitude && fix.longitude == longitude, sourceLocation: location)
            #expect(fix.altitudeAboveMeanSeaLevel == 499.6, sourceLocation: location)
            #expect(fix.heightAboveEllipsoid == 547.6, sourceLocation: location)
            #expect(fix.speed.map { abs($0 - 5.144444) < 1e-6 } == true, sourceLocation: location)
            #expect(fix.courseOverGround == 77.52 && fix.satellitesUsed == 8, sourceLocation: location)
        }
    }

    private func expectSky(_ epoch: Epoch, _ location: SourceLocation = #_sourceLocation) {
        #expect(epoch.hasSky, sourceLocation: location)
        #expect(epoch.satellites.map(\.id.number) == [1, 2, 3, 4, 5, 6], sourceLocation: location)
        #expect(epoch.satellites.map(\.isUsed) == [true, true, true, true, true, false], sourceLocation: location)
    }

    @Test func `u-blox: RMC VTG GGA GSA GSV GLL`() throws {
        var listener = Listener()
        for second in 43_200..<43_210 { try listener.hear(ublox(clock(second))) }
        listener.finish()
        #expect(listener.epochs.count == 10)
        expectWhole(listener.epochs, from: 43_200)
        for epoch in listener.epochs {
            expectSky(epoch)
            #expect(epoch.fix.dilution.position == 1.94 && epoch.fix.dilution.vertical == 1.54)
        }
    }

    @Test func `from the third epoch on, the learned last message closes the epoch at once`() throws {
        var listener = Listener()
        for second in 0..<5 {
            try listener.hear(ublox(clock(43_200 + second)))
            #expect(listener.epochs.count == (second < 2 ? second : second + 1))
            #expect(listener.isOpen == (second < 2))
        }
    }

    @Test func `MediaTek: GGA GSA RMC, with GSV every fifth`() throws {
        var listener = Listener()
        for second in 0..<20 {
            let time = clock(43_200 + second)
            try listener.hear([gga(time), gsa] + (second % 5 == 0 ? gsv : []) + [rmc(time), vtg])
        }
        listener.finish()
        #expect(listener.epochs.count == 20)
        expectWhole(Array(listener.epochs.dropFirst()), from: 43_201)
        for (index, epoch) in listener.epochs.enumerated() {
            #expect(epoch.hasSky == (index % 5 == 0))
            if index % 5 == 0 { expectSky(epoch) }
        }
    }

    @Test(arguments: [true, false])
    func `Qualcomm: GSV first, GSA before RMC`(pauses: Bool) throws {
        var listener = Listener()
        for second in 0..<10 {
            let time = clock(43_200 + second)
            try listener.hear(gsv + [gga(time), vtg, gsa, rmc(time)])
            if pauses { listener.silence() }
        }
        listener.finish()
        #expect(listener.epochs.count == 10)
        expectWhole(Array(listener.epochs.dropFirst()), from: 43_201)
        for epoch in listener.epochs { expectSky(epoch) }
    }

    @Test(arguments: [true, false])
    func `GSV and GSA before RMC`(pauses: Bool) throws {
        var listener = Listener()
        for second in 0..<10 {
            let time = clock(43_200 + second)
            try listener.hear(gsv + [gsa, rmc(time), gga(time)])
            if pauses { listener.silence() }
        }
        listener.finish()
        #expect(listener.epochs.count == 10)
        expectWhole(Array(listener.epochs.dropFirst()), from: 43_201)
        for epoch in listener.epochs { expectSky(epoch) }
    }

    @Test(arguments: [20, 10])
    func `5 Hz and 10 Hz`(step: Int) throws {
        var listener = Listener()
        for tick in 0..<50 { try listener.hear(ublox(clock(43_200 + tick * step / 100, tick * step % 100))) }
        listener.finish()
        #expect(listener.epochs.count == 50)
        for (index, epoch) in listener.epochs.enumerated() {
            let expected = day(2026, 9, 20, seconds: 43_200).advanced(byNanoseconds: Int64(index * step) * 10_000_000)
            #expect(epoch.fix.time == expected)
            #expect(epoch.fix.hasPosition)
        }
    }

    @Test func `sentences of one epoch may truncate the time's decimals differently`() throws {
        var listener = Listener()
        for second in 43_200..<43_204 {
            try listener.hear(
                rmc(clock(second, 99)), gga(clock(second).dropLast(2) + "990"), gll(clock(second).dropLast(2) + "9904"))
        }
        listener.finish()
        #expect(listener.epochs.count == 4)
    }

    @Test(arguments: [EpochSource.recording, .line])
    func `a repeated sentence with a different time begins a new epoch, however close`(source: EpochSource) throws {
        var listener = Listener(source: source)
        let times = (0..<12).flatMap { [clock(43_200 + $0, 99), clock(43_201 + $0, 0)] }
        for time in times { try listener.hear(rmc(time), gga(time)) }
        listener.finish()
        #expect(listener.epochs.count == times.count)
        #expect(listener.epochs.allSatisfy { $0.fix.hasPosition && $0.fix.speed != nil })
        #expect(Set(listener.epochs.map(\.fix.time)).count == times.count)
    }

    @Test func `a silence closes an epoch, and one silence is enough to learn the last message`() throws {
        var listener = Listener()
        for second in 0..<3 {
            try listener.hear([rmc(clock(43_200 + second)), gga(clock(43_200 + second)), gsa] + gsv)
            listener.silence()
            #expect(listener.epochs.count == second + 1)
            #expect(!listener.isOpen)
        }
        try listener.hear([rmc(clock(43_203)), gga(clock(43_203)), gsa] + gsv)
        #expect(listener.epochs.count == 4, "GSV was learned to be the last")
        listener.epochs.forEach { expectSky($0) }
    }

    @Test func `silences without a time in between make no epochs`() throws {
        var listener = Listener()
        for _ in 0..<5 { listener.silence() }
        try listener.hear(gsa)
        listener.silence()
        try listener.hear(gsv)
        listener.silence()
        listener.finish()
        #expect(listener.epochs.isEmpty)
    }

    @Test(arguments: [true, false])
    func `silences inside an epoch, wherever they fall, do not split it in two`(isVoid: Bool) throws {
        let bursts = (0..<6).map { tenth -> [String] in
            let time = clock(43_200, tenth * 10)
            guard isVoid else { return ublox(time) }
            return [
                rmc(time, valid: false), "GPVTG,,,,,,,,,N", "GPGGA,\(time),,,,,0,00,99.99,,,,,,",
                "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99", "GPGSV,1,1,00", "GPGLL,,,,,\(time),V,N",
            ]
        }
        let sentences = bursts.flatMap(\.self)
        for first in 1..<sentences.count {
            for second in first..<sentences.count {
                var receiver = Listener()
                for (place, sentence) in sentences.enumerated() {
                    if place == first || place == second { receiver.silence() }
                    try receiver.hear(sentence)
                }
                receiver.finish()
                let times = receiver.epochs.compactMap(\.fix.time)
                #expect(Set(times).count == times.count, "silences before \(first) and \(second): \(times)")
            }
        }
    }

    @Test func `late messages of a closed epoch do not make a second epoch with its time`() throws {
        var listener = Listener()
        for second in 0..<4 { try listener.hear(ublox(clock(43_200 + second))) }
        #expect(listener.epochs.count == 4)
        try listener.hear("GPGST,\(clock(43_203)),1,2,3,4,5,6,7")
        try listener.hear(gga(clock(43_203)))
        try listener.hear(vtg)
        try listener.hear(gga(clock(43_203)), rmc(clock(43_203)), gll(clock(43_203)))
        #expect(listener.epochs.count == 4)
        for second in 4..<7 { try listener.hear(ublox(clock(43_200 + second))) }
        listener.finish()
        #expect(listener.epochs.count == 7)
        expectWhole(listener.epochs, from: 43_200)
    }

    @Test func `a time that stands still while valid makes only one epoch`() throws {
        var listener = Listener()
        for _ in 0..<5 { try listener.hear(ublox(clock(43_200))) }
        listener.finish()
        #expect(listener.epochs.count == 1)
    }

    @Test func `a cold receiver's void epochs without a time are delivered`() throws {
        var listener = Listener()
        for _ in 0..<6 {
            try listener.hear(
                "GPRMC,,V,,,,,,,,,,N", "GPVTG,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,",
                "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99", "GPGSV,1,1,00", "GPGLL,,,,,,V,N")
        }
        listener.finish()
        #expect(listener.epochs.count == 6)
        for epoch in listener.epochs {
            #expect(epoch.fix.type == .noFix && epoch.fix.quality == .invalid && epoch.fix.time == nil)
            #expect(epoch.fix.latitude == nil && epoch.fix.dilution == DilutionOfPrecision())
            #expect(epoch.hasSky && epoch.satellites.isEmpty)
        }
    }

    @Test(arguments: [EpochSource.line, .recording])
    func `a void sentence without a time does not cost the first fix behind it`(source: EpochSource) throws {
        var listener = Listener(source: source)
        try listener.hear("GPGLL,,,,,,V,N", rmc(clock(43_200)), gga(clock(43_200)))
        try listener.hear("GPGLL,\(position),\(clock(43_200)),A,A", rmc(clock(43_201)), gga(clock(43_201)))
        listener.finish()
        #expect(listener.epochs.map(\.fix.type) == [.noFix, .threeD, .threeD])
        #expect(listener.epochs.map(\.fix.quality) == [.invalid, .autonomous, .autonomous])
    }

    @Test func `void epochs whose time stands still are delivered`() throws {
        var listener = Listener()
        for _ in 0..<5 {
            try listener.hear(rmc("000000.00", date: "060180", valid: false), "GPGGA,000000.00,,,,,0,00,,,,,,,")
        }
        listener.finish()
        #expect(listener.epochs.count == 5)
        #expect(listener.epochs.allSatisfy { $0.fix.type == .noFix && !$0.fix.isTimeValidated })
    }

    @Test func `a receiver that changes its sentence order is learned again`() throws {
        var listener = Listener()
        for second in 0..<5 { try listener.hear(ublox(clock(43_200 + second))) }
        for second in 5..<10 { try listener.hear(gga(clock(43_200 + second)), gsa, rmc(clock(43_200 + second))) }
        listener.finish()
        #expect(listener.epochs.count == 10)
        expectWhole(listener.epochs, from: 43_200)
    }

    @Test func `each lost sentence costs its own content and no epoch`() throws {
        let count = ublox("").count
        for lost in 0..<count {
            var listener = Listener()
            for second in 0..<12 {
                var bodies = ublox(clock(43_200 + second))
                if second == 6 { bodies.remove(at: lost) }
                try listener.hear(bodies)
            }
            listener.finish()
            #expect(listener.epochs.count == 12, "without \(lost)")
            #expect(Set(listener.epochs.map(\.fix.time)).count == 12, "without \(lost)")
            for epoch in listener.epochs where epoch.hasSky {
                #expect(epoch.satellites.map(\.id.number) == [1, 2, 3, 4, 5, 6], "without \(lost)")
            }
        }
    }
}
