import ClientProtocol
import Engine
import Magnetism
import Power
import Sessions
import Testing
import Units

@Suite("Engine and headings")
struct EngineHeadingTests {
    private func watching(
        filter: Double? = 1, isCalibrated: Bool = true, session: UInt8 = 0, heading: Double = 0
    ) -> CompassHarness {
        var bench = CompassHarness(isCalibrated: isCalibrated)
        bench.heading = heading
        bench.connect(1)
        bench.ask(.watchHeading(HeadingSettings(filter: filter)), session: session)
        return bench
    }

    /// The magnetic headings told since.
    private func headings(_ bench: inout CompassHarness, _ member: String = "magneticHeading") -> [Double] {
        bench.take("heading").compactMap { number(member, in: $0) }
    }

    /// Whether a heading is another but for what the filter of 1 degree holds back.
    private func isNear(_ told: Double?, _ heading: Double) -> Bool {
        told.map { HeadingFilter.turn(from: $0, to: heading) < 1 } ?? false
    }

    @Test func `HEAD-01: without a compass there is no heading, and whoever wants one hears nothing`() {
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

    @Test func `a board with a compass says so when it is found, and nothing is read while nobody wants headings`() {
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

    @Test func `HEAD-02: a change of 0.9 degrees is silent, one of 1.1 is told`() {
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

    @Test func `HEAD-03: across north the change is the shorter way round`() {
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

    @Test func `HEAD-04: without a filter every sample is told, 25 a second`() {
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

    @Test func `HEAD-05: true north is told while the session's locations run, and to nobody else`() {
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

    @Test func `HEAD-06: uncalibrated, the accuracy is negative`() {
        var bench = watching(filter: nil, isCalibrated: false)
        bench.run(seconds: 1)
        let told = headings(&bench, "headingAccuracy")
        #expect(!told.isEmpty && told.allSatisfy { $0 < 0 })
    }

    @Test func `HEAD-06: disturbed, the accuracy is negative, and is not when the magnet has gone`() {
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
    func `HEAD-07: an orientation turns later headings`(orientation: DeviceOrientation, expected: Double) {
        var bench = watching(heading: 30)
        bench.run(seconds: 5)
        _ = bench.take()
        bench.ask(.changeHeading(HeadingSettings(orientation: orientation)))
        #expect(bench.take().isEmpty)
        bench.heading = 35
        bench.run(seconds: 5)
        #expect(isNear(headings(&bench).last, expected + 5))
    }

    @Test func `HEAD-08: who is not calibrated is asked first, and no longer when it is`() {
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

    @Test func `HEAD-08: agents are told while a client's user is asked, until it is dismissed`() {
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

    @Test func `HEAD-08: a display ends with its client`() {
        var bench = watching(isCalibrated: false)
        bench.run(seconds: 1)
        bench.ask(.displayHeadingCalibration)
        bench.ask(.operator(.agent(isEnabled: true)), of: 9)
        #expect(bench.take("calibrationDisplay", of: 9).count == 1, "who becomes an agent hears how it stands")
        bench.give(.clientGone(ClientID(rawValue: 1)))
        #expect(bench.take("calibrationDisplay", of: 9).first?.contains("false") == true)
    }

    @Test func `HEAD-08: a field that has changed for good is asked about, a car that passes is not`() {
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

    @Test func `HEAD-09: begun twice there is one initial heading; ended and begun again there is another`() {
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

    // MARK: Failures

    @Test func `one failure is mended without a word, two are a heading failure, told once`() {
        var bench = watching()
        bench.run(seconds: 2)
        _ = bench.take()
        bench.fails = true
        bench.run(seconds: 100)
        #expect(bench.take().map { $0.contains("\"errorCode\":3") } == [true])
        #expect(bench.findCount < 12, "ever longer pauses")
        bench.fails = false
        bench.run(seconds: 300)
        _ = bench.take()
        bench.heading = 90
        bench.run(seconds: 3)
        #expect(isNear(headings(&bench).last, 90))
        bench.fails = true
        bench.run(seconds: 3)
        #expect(bench.take("failed").count == 1, "and again for the next")
    }

    @Test func `an absent compass is looked for after 1 s, then after twice as long each time, and every 10 minutes`() {
        var bench = CompassHarness(isThere: false, isCalibrated: false)
        bench.connect(1)
        bench.ask(.watchHeading(HeadingSettings()))
        var times = [bench.now]
        for _ in 0..<25_000 {
            let before = bench.findCount
            bench.run(seconds: 0.1)
            if bench.findCount > before { times.append(bench.now.rounded()) }
        }
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(pauses.prefix(12) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600], "\(pauses)")
    }

    @Test func `a bus that fails from the beginning is not told as nobody who answers`() {
        for (input, state) in [
            (.compassFailed(detail: "/dev/i2c-1 may not be opened"), "failed"),
            (.compassAbsent(detail: "nobody answers at 0x1C"), "absent"),
        ] as [(Input, String)] {
            var bench = CompassHarness(isThere: false, isCalibrated: false)
            bench.give(input)
            bench.ask(.operator(.compass(.status)), of: 9)
            #expect(bench.take("compass", of: 9).first?.contains("\"state\":\"\(state)\"") == true)
            bench.connect(1)
            bench.ask(.watchHeading(HeadingSettings()))
            #expect(bench.take("failed").isEmpty, "there is no compass that could fail")
        }
    }

    @Test func `one who begins while the compass fails hears so at once`() {
        var bench = watching()
        bench.fails = true
        bench.run(seconds: 20)
        bench.connect(2)
        _ = bench.take()
        bench.ask(.watchHeading(HeadingSettings()), of: 2, session: 5)
        let told = bench.take("failed", of: 2)
        #expect(told.count == 1 && told.first?.contains("\"session\":5") == true)
    }

    @Test func `a bus that hangs is a failure after 5 s, and the compass is found when it answers again`() {
        var bench = watching()
        bench.run(seconds: 1)
        bench.hangs = true
        bench.run(seconds: 4.9)
        #expect(bench.take("failed").isEmpty)
        bench.run(seconds: 8)
        #expect(bench.take("failed").count == 1)
        bench.hangs = false
        bench.run(seconds: 600)
        bench.heading = 45
        bench.run(seconds: 3)
        #expect(isNear(headings(&bench).last, 45))
    }

    // MARK: Operators

    @Test func `a calibration is kept, and is that of its chip alone`() {
        var bench = CompassHarness(isCalibrated: false)
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: "lis3mdl"))), of: 9)
        #expect(bench.take("compass", of: 9).first?.contains("\"reach\":\"spatial\"") == true)
        guard case .put(let row)? = bench.stored.last else {
            Issue.record("nothing was kept")
            return
        }
        var next = CompassHarness(isCalibrated: false)
        next.give(.storeFound(row))
        next.ask(.operator(.compass(.status)), of: 9)
        #expect(next.take("compass", of: 9).first?.contains("\"reach\":\"spatial\"") == true)
        next.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: "hmc5883l"))), of: 9)
        #expect(next.take("error", of: 9).first?.contains("hmc5883l") == true)
        next.ask(.operator(.compass(.eraseCalibration)), of: 9)
        #expect(next.take("compass", of: 9).first?.contains("\"calibration\":") == false)
        #expect(next.stored.last == .remove(.settings, client: "", name: "compassCalibration"))
    }

    /// The row of a calibration that an operator set on a board.
    private func kept(on board: String, magnetometer: String?, isThere: Bool = true) -> DurableRow? {
        var bench = CompassHarness(isThere: isThere, isCalibrated: false, board: board)
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: magnetometer))), of: 9)
        guard case .put(let row)? = bench.stored.last else { return nil }
        return row
    }

    @Test func `a calibration of another board is not used though the chip is the same, which the log says once`()
        throws
    {
        let row = try #require(kept(on: "car", magnetometer: "lis3mdl"))
        var bench = CompassHarness(isThere: false, isCalibrated: false, board: "boat")
        bench.give(.storeFound(row))
        bench.isThere = true
        bench.give(.compassFound(CompassHarness.chips))
        bench.give(.compassFound(CompassHarness.chips))
        let problem = "of the board car, and this is boat; calibrate again"
        #expect(bench.logged.count { "\($0)".contains(problem) } == 1)
        bench.ask(.operator(.compass(.status)), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(!status.contains("\"calibration\":") && status.contains(problem), "\(status)")
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: nil))), of: 9)
        #expect(bench.take("compass", of: 9).first?.contains("\"reach\":\"spatial\"") == true)
    }

    @Test func `a calibration that was set before its chip was found is kept as that chip's`() throws {
        let unknown = try #require(kept(on: "bench", magnetometer: nil, isThere: false))
        var bench = CompassHarness(isThere: false, isCalibrated: false)
        bench.give(.storeFound(unknown))
        bench.give(.compassFound(CompassHarness.chips))
        guard case .put(let row)? = bench.stored.last else {
            Issue.record("it was not kept again")
            return
        }
        var next = CompassHarness(isThere: false, isCalibrated: false)
        next.give(.storeFound(row))
        next.give(.compassFound(CompassChips(magnetometer: "rm3100", place: "i2c-1 at 0x20")))
        next.ask(.operator(.compass(.status)), of: 9)
        let status = next.take("compass", of: 9).first ?? ""
        #expect(!status.contains("\"calibration\":") && status.contains("is of a lis3mdl"), "\(status)")
    }

    @Test func `a calibration of another chip is not used, and status says so`() {
        var bench = CompassHarness()
        let other = CompassChips(magnetometer: "rm3100", place: "i2c-1 at 0x20")
        bench.give(.compassFound(other))
        bench.ask(.operator(.compass(.status)), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(
            !status.contains("\"calibration\":")
                && status.contains("is of a lis3mdl, and this board has a rm3100"))
    }

    @Test(arguments: [(1, 0), (1, -1), (0.3, 0.3), (4, 4)])
    func `a calibration that turns the field inside out or flat, or scales it, is refused`(level: Double, up: Double) {
        var bench = CompassHarness(isCalibrated: false)
        var calibration = CompassHarness.calibration
        calibration.matrix = Matrix3(columns: SIMD3(level, 0, 0), SIMD3(0, level, 0), SIMD3(0, 0, up))
        bench.ask(.operator(.compass(.calibrate(calibration, magnetometer: nil))), of: 9)
        #expect(bench.take("error", of: 9).count == 1 && bench.stored.isEmpty)
    }

    @Test func `what was wrong before a calibration is not said after it`() {
        var bench = watching(isCalibrated: false)
        bench.run(seconds: 2)
        bench.ask(.operator(.compass(.status)), of: 9)
        #expect(bench.take("compass", of: 9).first?.contains("\"detail\":") == true)
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: "lis3mdl"))), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(status.contains("\"reach\":\"spatial\"") && !status.contains("\"detail\":"), "\(status)")
    }

    @Test func `what failed is not said when the compass is found again`() {
        var bench = CompassHarness()
        bench.give(.compassFailed(detail: "the bus hangs"))
        bench.give(.compassFound(CompassHarness.chips))
        bench.ask(.operator(.compass(.status)), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(status.contains("\"state\":\"ready\"") && !status.contains("\"detail\":"), "\(status)")
    }

    @Test func `an operator gets every sample as the chip measured it`() {
        var bench = CompassHarness()
        bench.ask(.operator(.compass(.watch(isEnabled: true))), of: 9)
        bench.run(seconds: 2)
        let samples = bench.take("compassSample", of: 9)
        #expect((49...51).contains(samples.count))
        #expect(number("y", in: samples.last ?? "") == 21.6 && number("az", in: samples.last ?? "") == 9.81)
        bench.ask(.operator(.compass(.watch(isEnabled: false))), of: 9)
        let before = bench.sampleCount
        bench.run(seconds: 2)
        #expect(bench.sampleCount == before)
    }

    @Test func `status says which compass there is; of a board without one it says nothing`() {
        var bench = CompassHarness()
        bench.ask(.status, of: 9)
        let status = bench.take("status", of: 9).first ?? ""
        #expect(
            status.contains(
                "\"compass\":{\"state\":\"ready\",\"magnetometer\":\"lis3mdl\",\"accelerometer\":\"lis3dh\""))
        var none = CompassHarness(hasCompass: false, isCalibrated: false)
        none.ask(.status, of: 9)
        #expect(none.take("status", of: 9).first?.contains("compass") == false)
        none.ask(.operator(.compass(.status)), of: 9)
        #expect(none.take("error", of: 9).first?.contains("unavailable") == true)
    }
}
