import Accelerometers
import Boards
import Emulation
import Hardware
import Magnetism
import Magnetometers
import SextantUnits
import Testing

@Suite("A compass unit") struct CompassUnitTests {
    /// A LIS3MDL and a LIS3DH on one bus.
    final class Bench {
        let magnetometer: EmulatedLIS3MDL
        let accelerometer: EmulatedLIS3DH
        var bus: EmulatedBus
        var unit: CompassUnit
        var now = MonotonicInstant(nanoseconds: 5_000_000_000)
        private var instants = 0

        init() {
            let scene = SensorScene(field: { SIMD3(12, 20, -44) }, acceleration: { SIMD3(1, -2, 9.5) })
            magnetometer = EmulatedLIS3MDL(scene: scene)
            accelerometer = EmulatedLIS3DH(scene: scene)
            bus = EmulatedBus(chips: [magnetometer, accelerometer])
            unit = CompassUnit(
                magnetometer: LIS3MDL(at: I2CAddress(0x1C)), accelerometer: LIS3DH(at: I2CAddress(0x18)))
        }

        func sample() throws(ChipError) -> CompassSample {
            guard
                let sample = try unit.sample(
                    over: &bus,
                    at: {
                        instants += 1
                        return now.advanced(byNanoseconds: Int64(instants))
                    })
            else { throw .notReady(chip: "none") }
            return sample
        }

        var areAsleep: Bool { !magnetometer.isConverting && !accelerometer.isConverting }
    }

    /// - Parameter within: How far the field may be off.
    ///
    ///   Unit: microtesla.
    private func isRight(_ sample: CompassSample, within error: Double = 0.1) -> Bool {
        guard let force = sample.acceleration else { return false }
        let field = sample.field - SIMD3(12, 20, -44)
        let rest = force - SIMD3(1, -2, 9.5)
        return (field * field).sum() < error * error && (rest * rest).sum() < 0.001 && !sample.isSaturated
    }

    @Test func `samples both chips and puts both to sleep`() throws {
        let bench = Bench()
        var last = bench.now
        for _ in 1...3 {
            let sample = try bench.sample()
            #expect(isRight(sample))
            #expect(sample.instant > last)
            last = sample.instant
            #expect(bench.areAsleep)
        }
    }

    /// Every magnetometer's emulated chip.
    private func chip(_ model: MagnetometerModel, _ scene: SensorScene) -> EmulatedRegisterChip {
        switch model {
        case .hmc5883l: EmulatedHMC5883L(scene: scene)
        case .qmc5883l: EmulatedQMC5883L(scene: scene)
        case .qmc5883p: EmulatedQMC5883P(scene: scene)
        case .lis3mdl: EmulatedLIS3MDL(scene: scene)
        case .lis2mdl: EmulatedLIS2MDL(scene: scene)
        case .lsm303dlhc: EmulatedLSM303DLHCMagnetometer(scene: scene)
        case .mmc5603: EmulatedMMC5603(scene: scene)
        case .mmc5983ma: EmulatedMMC5983MA(scene: scene)
        case .ist8310: EmulatedIST8310(scene: scene)
        case .ak8963: EmulatedAK8963(scene: scene)
        case .ak09916: EmulatedAK09916(scene: scene)
        case .bmm150: EmulatedBMM150(scene: scene)
        case .rm3100: EmulatedRM3100(scene: scene)
        }
    }

    @Test(arguments: MagnetometerModel.allCases, [false, true])
    func `samples with every magnetometer, also after a power failure`(model: MagnetometerModel, watches: Bool) throws {
        let scene = SensorScene(field: { SIMD3(12, 20, -44) }, acceleration: { SIMD3(1, -2, 9.5) })
        let chip = chip(model, scene)
        let bench = Bench()
        bench.bus = EmulatedBus(chips: [chip, bench.accelerometer])
        bench.unit = CompassUnit(
            magnetometer: try MagnetometerSearch(model: model).run(over: &bench.bus)[0],
            accelerometer: LIS3DH(at: I2CAddress(0x18)))
        if watches { try bench.unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bench.bus) }
        for _ in 0..<3 {
            // The coarsest counts by 0.3 µT.
            #expect(isRight(try bench.sample(), within: 0.3))
            #expect(!chip.isConverting && bench.accelerometer.isConverting == watches)
            chip.powerCycle()
        }
    }

    @Test(arguments: [9, 11]) func `the magnetometer's offset is measured again after 10 s without a sample`(
        pause: Int64
    )
        throws
    {
        let bench = Bench()
        let chip = EmulatedMMC5603(scene: bench.accelerometer.scene)
        bench.bus.chips = [chip, bench.accelerometer]
        bench.unit.use(MMC5603(at: I2CAddress(0x30)))
        #expect(isRight(try bench.sample()))
        chip.bridgeOffset.y += 8
        bench.now = bench.now.advanced(byNanoseconds: pause * 1_000_000_000)
        #expect(isRight(try bench.sample()) == (pause > 10))
    }

    @Test func `waits once per sample, for the slower of the two chips`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.bus.clearTranscript()
        _ = try bench.sample()
        let waits = bench.bus.transcript.filter { if case .wait = $0 { true } else { false } }
        #expect(waits == [.wait(microseconds: 20_000)])
        // Nothing is configured again: the start of each, and the accelerometer's sleep.
        let writes = bench.bus.transcript.filter { if case .write = $0 { true } else { false } }
        #expect(writes.count == 3)
    }

    @Test func `samples without an accelerometer`() throws {
        let bench = Bench()
        bench.unit = CompassUnit(magnetometer: LIS3MDL(at: I2CAddress(0x1C)), accelerometer: nil)
        try bench.unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bench.bus)
        let sample = try bench.sample()
        #expect(sample.acceleration == nil)
    }

    @Test func `no sample is lost when a chip loses power between samples`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.powerCycle()
        #expect(isRight(try bench.sample()))
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
        bench.magnetometer.powerCycle()
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
        #expect(bench.areAsleep)
    }

    @Test func `a measurement that never becomes ready is tried twice, and then both chips sleep`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.isStuck = true
        bench.bus.clearTranscript()
        #expect(throws: ChipError.notReady(chip: "lis3mdl")) { try bench.sample() }
        let starts = bench.bus.transcript.filter { $0 == .write(I2CAddress(0x1C), register: 0x22, value: 0x01) }
        #expect(starts.count == 2)
        #expect(!bench.accelerometer.isConverting)
        bench.magnetometer.isStuck = false
        #expect(isRight(try bench.sample()))
    }

    @Test func `a bus fault is reported at once, and the next sample configures the chips again`() throws {
        let bench = Bench()
        _ = try bench.sample()
        for transfers in 0..<12 {
            bench.bus.fault = .timeout
            bench.bus.transfersBeforeFault = transfers
            #expect(throws: ChipError.self) {
                for _ in 0..<3 { _ = try bench.sample() }
            }
            bench.bus.fault = nil
            #expect(isRight(try bench.sample()))
            #expect(bench.areAsleep)
        }
    }

    @Test func `sampling fails while a chip is unplugged and works again once it is back`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.accelerometer.isPresent = false
        for _ in 0..<3 {
            #expect(
                throws: ChipError.bus(
                    BusError(.noAcknowledge, bus: "/dev/i2c-1", address: I2CAddress(0x18)))
            ) { try bench.sample() }
        }
        bench.accelerometer.isPresent = true
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
    }

    @Test func `watches for motion between samples, and resumes the watch after a power failure`() throws {
        let bench = Bench()
        let threshold = MotionThreshold(acceleration: 0.5, duration: 0)
        try bench.unit.watchMotion(threshold, over: &bench.bus)
        #expect(isRight(try bench.sample()))
        #expect(bench.accelerometer.isConverting)
        #expect(!bench.magnetometer.isConverting)
        bench.accelerometer.powerCycle()
        #expect(!bench.accelerometer.isConverting)
        #expect(isRight(try bench.sample()))
        #expect(bench.accelerometer.isConverting)
        try bench.unit.watchMotion(nil, over: &bench.bus)
        #expect(bench.areAsleep)
    }

    /// The microseconds from the field's measurement to its instant, and those of the whole sample.
    private func times(of count: Int, on bench: Bench) throws -> [(age: Int, whole: Int)] {
        var times: [(age: Int, whole: Int)] = []
        for _ in 0..<count {
            bench.bus.clearTranscript()
            var stampedAt = 0
            var bus = bench.bus
            _ = try bench.unit.sample(over: &bus) { [bus] in
                stampedAt = bus.transcript.count
                return .zero
            }
            let rows = bus.transcript
            let start = try #require(
                rows.firstIndex(of: .write(I2CAddress(0x1C), register: 0x22, value: 0x01)))
            func waited(_ part: ArraySlice<EmulatedBus.Transfer>) -> Int {
                part.reduce(0) { if case .wait(let microseconds) = $1 { $0 + microseconds } else { $0 } }
            }
            times.append((waited(rows[start..<stampedAt]), waited(rows[...])))
        }
        return times
    }

    @Test func `the magnetic field is measured last, and the sample's time is the field's`() throws {
        let bench = Bench()
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        _ = try bench.sample()
        for (age, whole) in try times(of: 3, on: bench) {
            #expect(age <= 20_000)
            #expect(whole >= 110_000 && whole < 150_000)
        }
    }

    @Test func `a missing magnetometer leaves the accelerometer asleep, or watching if a watch was requested`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.isPresent = false
        for _ in 0..<3 {
            #expect(throws: ChipError.self) { try bench.sample() }
            #expect(!bench.accelerometer.isConverting)
        }
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        for _ in 0..<3 {
            bench.accelerometer.powerCycle()
            #expect(throws: ChipError.self) { try bench.sample() }
            #expect(bench.accelerometer.isConverting)
        }
    }

    @Test func `starting a motion watch sends nothing to the magnetometer`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.bus.clearTranscript()
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        #expect(
            bench.bus.transcript.allSatisfy {
                switch $0 {
                case .read(let address, _, _), .write(let address, _, _), .writeRow(let address, _, _):
                    address == I2CAddress(0x18)
                case .wait: true
                }
            })
    }

    @Test func `an accelerometer without a magnetometer gives no sample, but sleeps and watches for motion`() throws {
        let bench = Bench()
        bench.unit = CompassUnit(magnetometer: nil, accelerometer: LIS3DH(at: I2CAddress(0x18)))
        try bench.unit.configure(over: &bench.bus)
        #expect(bench.areAsleep)
        #expect(try bench.unit.sample(over: &bench.bus) { .zero } == nil)
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        #expect(bench.accelerometer.isConverting)
    }

    @Test(arguments: [UInt8(0x18), 0x1C])
    func `when one chip cannot be configured, the other is configured once`(gone: UInt8) throws {
        let bench = Bench()
        bench.magnetometer.isPresent = gone != 0x1C
        bench.accelerometer.isPresent = gone != 0x18
        let other = I2CAddress(gone == 0x18 ? 0x1C : 0x18)
        #expect(throws: ChipError.self) { try bench.unit.configure(over: &bench.bus) }
        #expect(bench.bus.transcript.contains { if case .write(other, _, _) = $0 { true } else { false } })
        bench.bus.clearTranscript()
        #expect(throws: ChipError.self) { try bench.unit.configure(over: &bench.bus) }
        #expect(!bench.bus.transcript.contains { if case .write(other, _, _) = $0 { true } else { false } })
    }

    @Test func `a sample says that its field is saturated`() throws {
        let bench = Bench()
        bench.magnetometer.scene.field = { SIMD3(0, 0, 470) }
        #expect(try bench.sample().isSaturated)
    }
}
