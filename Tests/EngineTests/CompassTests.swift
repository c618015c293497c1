import ClientProtocol
import Engine
import Magnetism
import Parts
import Power
import SextantUnits
import Testing

/// What becomes of a compass that fails, and what its operators may ask.
@Suite("Engine and its compass")
struct EngineCompassTests {
    @Test func `one compass failure is retried silently, a second is reported once as a heading failure`() {
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

    @Test func `an absent compass is searched for after waits that double from 1 s to 10 minutes`() {
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

    @Test func `a new heading watch starts the search for a missing compass at once and anew`() {
        var bench = CompassHarness(isThere: false, isCalibrated: false)
        bench.connect(1)
        bench.ask(.watchHeading(HeadingSettings()))
        bench.run(seconds: 3600)
        let before = bench.findCount
        bench.connect(2)
        bench.ask(.watchHeading(HeadingSettings()), of: 2)
        #expect(bench.findCount == before + 1)
        bench.isThere = true
        bench.run(seconds: 3)
        #expect(!bench.take("heading", of: 2).isEmpty)
    }

    @Test func `a bus that fails from the start is reported as failed, not as absent`() {
        for (input, state) in [
            (.compassFailed(detail: "/dev/i2c-1 may not be opened"), "failed"),
            (.compassAbsent(detail: "no device answers at 0x1C"), "absent"),
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

    @Test func `a heading watch that begins while the compass fails is told so at once`() {
        var bench = watching()
        bench.fails = true
        bench.run(seconds: 20)
        bench.connect(2)
        _ = bench.take()
        bench.ask(.watchHeading(HeadingSettings()), of: 2, session: 5)
        let told = bench.take("failed", of: 2)
        #expect(told.count == 1 && told.first?.contains("\"session\":5") == true)
    }

    @Test func `a hanging bus is a failure after 5 s, and the compass is found again when it answers`() {
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

    @Test func `a calibration is kept, and accepted only for the chip that is there`() {
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

    @Test func `another board's calibration is not used even for the same chip, and is logged once`()
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

    @Test func `a calibration set before its chip was found is kept for the chip found later`() throws {
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
        next.give(.compassFound(CompassChips(magnetometer: "rm3100", busAddress: "i2c-1 at 0x20")))
        next.ask(.operator(.compass(.status)), of: 9)
        let status = next.take("compass", of: 9).first ?? ""
        #expect(!status.contains("\"calibration\":") && status.contains("is of a lis3mdl"), "\(status)")
    }

    @Test func `a calibration of another chip is not used, and status says so`() {
        var bench = CompassHarness()
        let other = CompassChips(magnetometer: "rm3100", busAddress: "i2c-1 at 0x20")
        bench.give(.compassFound(other))
        bench.ask(.operator(.compass(.status)), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(
            !status.contains("\"calibration\":")
                && status.contains("is of a lis3mdl, and this board has a rm3100"))
    }

    @Test(arguments: [(1, 0), (1, -1), (0.3, 0.3), (4, 4)])
    func `a calibration that mirrors, flattens or rescales the field is refused`(level: Double, up: Double) {
        var bench = CompassHarness(isCalibrated: false)
        var calibration = CompassHarness.calibration
        calibration.matrix = Matrix3(columns: SIMD3(level, 0, 0), SIMD3(0, level, 0), SIMD3(0, 0, up))
        bench.ask(.operator(.compass(.calibrate(calibration, magnetometer: nil))), of: 9)
        #expect(bench.take("error", of: 9).count == 1 && bench.stored.isEmpty)
    }

    @Test func `the status names no problem from before a new calibration`() {
        var bench = watching(isCalibrated: false)
        bench.run(seconds: 2)
        bench.ask(.operator(.compass(.status)), of: 9)
        #expect(bench.take("compass", of: 9).first?.contains("\"detail\":") == true)
        bench.ask(.operator(.compass(.calibrate(CompassHarness.calibration, magnetometer: "lis3mdl"))), of: 9)
        let status = bench.take("compass", of: 9).first ?? ""
        #expect(status.contains("\"reach\":\"spatial\"") && !status.contains("\"detail\":"), "\(status)")
    }

    @Test func `the status names no past failure once the compass is found again`() {
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

    @Test func `status names the compass, and omits it on a board without one`() {
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
