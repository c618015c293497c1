import ClientProtocol
import ClientVocabulary
import Engine
import Magnetism
import Parts
import Power
import SextantUnits
import Testing

@Suite("Engine and headings")
struct EngineHeadingTests {
    @Test func `HEAD-01: without a compass there is no heading, and a heading watch gets no events`() {
        for isThere in [true, false] {
            var bench = CompassHarness(hasCompass: isThere, isThere: false, isCalibrated: false)
            bench.connect(1)
            #expect(!bench.take("hello").joined().contains("\"heading\""))
            bench.ask(.watchHeading(HeadingSettings()), id: "h")
            bench.run(seconds: 3600)
            #expect(bench.takeEvents() == ["watchingHeading"])
            #expect(bench.sampleCount == 0)
        }
    }

    @Test func `a found compass is reported as a capability, and not read while no client wants headings`() {
        var bench = CompassHarness(isThere: false, isCalibrated: false)
        bench.connect(1)
        _ = bench.take()
        bench.isThere = true
        bench.run(seconds: 1)
        bench.connect(2)
        #expect(bench.take("capabilities").joined().contains("\"heading\""))
        bench.run(seconds: 86_400)
        #expect(bench.sampleCount == 0)
        bench.connect(3)
        #expect(bench.take("hello", of: 3).joined().contains("\"heading\""))
    }

    @Test func `HEAD-02: a change of 0.9 degrees is not reported, one of 1.1 degrees is`() {
        var bench = watching(heading: 100)
        bench.run(seconds: 5)
        _ = bench.take()
        bench.heading = 100.9
        bench.run(seconds: 5)
        #expect(headings(&bench).isEmpty)
        bench.heading = 101.2
        bench.run(seconds: 5)
        let told = headings(&bench)
        #expect(told.count == 1 && (101...101.2).contains(told.last ?? 0))
    }

    @Test func `HEAD-03: a change across north is measured the shorter way round`() {
        var bench = watching(heading: 359.5)
        bench.run(seconds: 5)
        _ = bench.take()
        bench.heading = 0.2
        bench.run(seconds: 5)
        #expect(headings(&bench).isEmpty)
        bench.heading = 0.9
        bench.run(seconds: 5)
        let told = headings(&bench)
        #expect(told.count == 1 && (0.5...0.9).contains(told.first ?? -1))
    }

    @Test func `HEAD-04: without a filter every sample is reported, 25 a second`() {
        var bench = watching(filter: nil)
        bench.run(seconds: 4)
        #expect((99...101).contains(headings(&bench).count))
        #expect(bench.sampleCount <= 101)
    }

    @Test(arguments: [(nil, 25), (0, 25), (0.5, 10), (1, 10), (2, 5), (5, 5), (10, 2), (180, 2)] as [(Double?, Int)])
    func `the compass is read as often as the smallest filter needs`(filter: Double?, rate: Int) {
        var bench = watching(filter: filter)
        bench.connect(2)
        bench.ask(.watchHeading(HeadingSettings(filter: 90)), of: 2)
        let before = bench.sampleCount
        bench.run(seconds: 10)
        #expect(abs(bench.sampleCount - before - 10 * rate) <= 1)
        bench.ask(.unwatchHeading)
        bench.run(seconds: 1)
        let slow = bench.sampleCount
        bench.run(seconds: 10)
        #expect(abs(bench.sampleCount - slow - 20) <= 1)
        bench.give(.clientGone(ClientID(rawValue: 2)))
        let last = bench.sampleCount
        bench.run(seconds: 100)
        #expect(bench.sampleCount == last)
    }

    @Test func `HEAD-05: true north is reported only to a session whose locations run`() {
        var bench = watching(filter: nil, session: 3)
        bench.connect(2)
        bench.heading = 359
        for second in 0...4 { bench.give(epoch: second) }
        bench.ask(.watchHeading(HeadingSettings(filter: nil)), session: 4)
        bench.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), session: 3)
        _ = bench.take()
        bench.run(seconds: 1)
        let told = bench.take("heading")
        let mine = told.filter { $0.contains("\"session\":3") }
        let others = told.filter { $0.contains("\"session\":4") }
        let declination = WorldMagneticModel.field(
            latitude: 47.376889, longitude: 8.541697, altitude: 456,
            at: UTCInstant(date: CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0), timeOfDay: 0))?
            .declination
        #expect(!mine.isEmpty && !others.isEmpty)
        for line in mine {
            let turned = (number("trueHeading", in: line) ?? -1) - (number("magneticHeading", in: line) ?? -1)
            #expect(abs(turned + 360 - (declination ?? 0)) < 0.05, "\(line)")
        }
        #expect(others.allSatisfy { number("trueHeading", in: $0) == -1 })
        #expect(others.allSatisfy { number("magneticHeading", in: $0).map { $0 >= 0 } == true })
        bench.ask(.unwatch, session: 3)
        bench.run(seconds: 1)
        #expect(bench.take("heading").allSatisfy { number("trueHeading", in: $0) == -1 })
    }

    @Test func `true north is undetermined before a fix, though locations run`() {
        var bench = watching(filter: nil)
        bench.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""))
        bench.run(seconds: 1)
        let told = headings(&bench, "trueHeading")
        #expect(!told.isEmpty && told.allSatisfy { $0 == -1 })
    }

    @Test func `HEAD-06: without a calibration the accuracy is negative`() {
        var bench = watching(filter: nil, isCalibrated: false)
        bench.run(seconds: 1)
        let told = headings(&bench, "headingAccuracy")
        #expect(!told.isEmpty && told.allSatisfy { $0 < 0 })
    }

    @Test func `HEAD-06: the accuracy is negative during a disturbance and not after it`() {
        var bench = watching()
        bench.run(seconds: 10)
        #expect(headings(&bench, "headingAccuracy").allSatisfy { $0 > 0 })
        bench.disturbance = SIMD3(60, 20, 40)
        bench.run(seconds: 10)
        #expect(headings(&bench, "headingAccuracy").last.map { $0 < 0 } == true)
        bench.disturbance = .zero
        bench.run(seconds: 30)
        #expect(headings(&bench, "headingAccuracy").last.map { $0 > 0 } == true)
    }

    @Test(
        arguments: [
            (.portrait, 30), (.landscapeLeft, 120), (.portraitUpsideDown, 210), (.landscapeRight, 300), (.faceUp, 30),
            (.faceDown, 30), (.unknown, 30),
        ] as [(DeviceOrientation, Double)])
    func `HEAD-07: a change of orientation turns later headings`(orientation: DeviceOrientation, expected: Double) {
        var bench = watching(heading: 30)
        bench.run(seconds: 5)
        _ = bench.take()
        bench.ask(.changeHeading(HeadingSettings(orientation: orientation)))
        #expect(bench.take().isEmpty)
        bench.heading = 35
        bench.run(seconds: 5)
        #expect(isNear(headings(&bench).last, expected + 5))
    }

    @Test func `HEAD-08: an uncalibrated client is asked to calibrate first, until it is calibrated`() {
        var bench = watching(isCalibrated: false)
        bench.run(seconds: 1)
        let told = bench.take()
        #expect(told.first { $0.contains("headingCalibration") }?.contains("\"wanted\":true") == true)
        #expect(
            told.firstIndex { $0.contains("headingCalibration") } ?? 9 < told.firstIndex {
                $0.hasPrefix("{\"event\":\"heading\"")
            }
                ?? 0)
        bench.run(seconds: 60)
        #expect(bench.take("headingCalibration").isEmpty, "once")
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: "lis3mdl"))), of: 9)
        #expect(bench.take("headingCalibration").first?.contains("\"wanted\":false") == true)
    }

    @Test func `HEAD-08: agents are told of the calibration display until it is dismissed`() {
        var bench = watching(isCalibrated: false)
        bench.ask(.operator(.agent(isEnabled: true)), of: 9)
        bench.run(seconds: 1)
        #expect(bench.take("calibrationDisplay", of: 9).isEmpty)
        bench.ask(.displayHeadingCalibration)
        #expect(bench.take("calibrationDisplay", of: 9).first?.contains("true") == true)
        bench.ask(.dismissHeadingCalibration)
        #expect(bench.take("calibrationDisplay", of: 9).first?.contains("false") == true)
        bench.ask(.displayHeadingCalibration)
        #expect(bench.take("calibrationDisplay", of: 9).isEmpty, "what was dismissed is not displayed again")
    }

    @Test func `HEAD-08: a calibration display ends when its client leaves`() {
        var bench = watching(isCalibrated: false)
        bench.run(seconds: 1)
        bench.ask(.displayHeadingCalibration)
        bench.ask(.operator(.agent(isEnabled: true)), of: 9)
        #expect(bench.take("calibrationDisplay", of: 9).count == 1, "who becomes an agent hears how it stands")
        bench.give(.clientGone(ClientID(rawValue: 1)))
        #expect(bench.take("calibrationDisplay", of: 9).first?.contains("false") == true)
    }

    @Test func `HEAD-08: a lasting change of the field asks for a calibration, a passing car does not`() {
        var bench = watching()
        bench.run(seconds: 5)
        _ = bench.take()
        bench.disturbance = SIMD3(60, 20, 40)
        bench.run(seconds: 3)
        bench.disturbance = .zero
        bench.run(seconds: 30)
        #expect(bench.take("headingCalibration").isEmpty)
        bench.disturbance = SIMD3(60, 20, 40)
        bench.run(seconds: 60)
        #expect(bench.take("headingCalibration").count == 1)
        bench.disturbance = .zero
        bench.run(seconds: 60)
        #expect(bench.take("headingCalibration").first?.contains("\"wanted\":false") == true)
    }

    @Test func `HEAD-09: begun twice there is one initial heading; ended and begun again there is a second`() {
        var bench = watching()
        bench.run(seconds: 3)
        #expect(bench.take("heading").count == 1)
        bench.ask(.watchHeading(HeadingSettings()))
        bench.run(seconds: 3)
        #expect(bench.takeEvents() == ["watchingHeading"])
        bench.ask(.unwatchHeading)
        bench.ask(.watchHeading(HeadingSettings()))
        bench.run(seconds: 3)
        #expect(bench.takeEvents() == ["watchingHeading", "heading"])
    }

    @Test func `a heading needs no authorization, and comes in the background`() {
        var bench = watching()
        bench.ask(.operator(.services(isEnabled: false)), of: 9)
        bench.ask(.state(isForeground: false))
        bench.run(seconds: 10)
        _ = bench.take()
        bench.heading = 50
        bench.run(seconds: 3)
        #expect(isNear(headings(&bench).last, 50))
    }
}
