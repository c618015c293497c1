import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("The watch for motion of a LIS3DH") struct WatchMotionTests {
    /// A chip that lies slanted, in a scene that a test shakes.
    final class Bench {
        var shake = 0.0
        var time = 0.0
        private(set) var rises = 0
        private(set) var chip: EmulatedLIS3DH
        var bus: EmulatedBus
        var driver = LIS3DH(at: I2CAddress(0x18))

        init() throws {
            let scene = SensorScene()
            chip = EmulatedLIS3DH(scene: scene)
            bus = EmulatedBus(chips: [chip])
            scene.acceleration = { [unowned self] in SIMD3(6 + shake, -3, 7) }
            chip.interruptChanged = { [unowned self] in if $0 { rises += 1 } }
            try driver.configure(over: &bus)
        }

        /// Lets a second pass, in steps.
        func second(shaking amplitude: Double = 0) {
            for step in 0..<20 {
                shake = step / 2 % 2 == 0 ? amplitude : -amplitude
                bus.pass(microseconds: 50_000)
            }
            shake = 0
        }
    }

    @Test func `a chip lying still reports no motion, at any tilt`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        for _ in 0..<600 { bench.second() }
        #expect(bench.rises == 0)
        #expect(!bench.chip.interruptLevel)
    }

    @Test func `motion raises the pin, and the end of motion lowers it without a bus transfer`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        bench.second(shaking: 2)
        #expect(bench.rises > 0)
        bench.bus.clearTranscript()
        for _ in 0..<10 { bench.second() }
        #expect(!bench.chip.interruptLevel)
        #expect(bench.bus.transcript.isEmpty)
        let before = bench.rises
        bench.second(shaking: 2)
        #expect(bench.rises > before)
    }

    @Test func `acceleration below the threshold is not reported as motion`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 2, duration: 0), over: &bench.bus)
        for _ in 0..<10 { bench.second(shaking: 1) }
        #expect(bench.rises == 0)
    }

    @Test func `a knock shorter than the duration is not reported as motion`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 1, duration: 0.5), over: &bench.bus)
        bench.shake = 5
        bench.bus.pass(microseconds: 200_000)
        bench.shake = 0
        for _ in 0..<5 { bench.second() }
        #expect(bench.rises == 0)
        bench.shake = 5
        bench.bus.pass(microseconds: 1_000_000)
        #expect(bench.rises == 1)
    }

    @Test func `measures during a motion watch without ending it`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        for _ in 0..<3 {
            let measured = try bench.driver.measure(over: &bench.bus)
            #expect(abs(measured.x - 6) < 0.005)
            #expect(abs(measured.y + 3) < 0.005)
        }
        #expect(bench.chip.isConverting)
        #expect(bench.rises == 0)
        bench.second(shaking: 2)
        #expect(bench.rises > 0)
    }

    @Test func `starting a motion watch writes the expected registers`() throws {
        let bench = try Bench()
        bench.bus.clearTranscript()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.79, duration: 0.2), over: &bench.bus)
        #expect(
            bench.bus.writes.dropFirst(7) == [
                [0x21, 0x01], [0x22, 0x40], [0x32, 5], [0x33, 2], [0x20, 0x77], [0x20, 0x27], [0x30, 0x2A],
            ])
    }

    @Test(arguments: [
        (MotionThreshold(acceleration: 0, duration: 0), UInt8(1), UInt8(0)),
        (MotionThreshold(acceleration: 1000, duration: 1000), 127, 127),
        (MotionThreshold(acceleration: -1, duration: -1), 1, 0),
        (MotionThreshold(acceleration: .nan, duration: .infinity), 1, 127),
    ])
    func `a threshold or duration beyond the registers' range is clamped to it`(
        threshold: MotionThreshold, steps: UInt8, duration: UInt8
    ) throws {
        let bench = try Bench()
        try bench.driver.watchMotion(threshold, over: &bench.bus)
        #expect(bench.bus.writes.contains([0x32, steps]))
        #expect(bench.bus.writes.contains([0x33, duration]))
    }

    @Test func `configuring the chip ends the motion watch`() throws {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        try bench.driver.configure(over: &bench.bus)
        #expect(!bench.chip.isConverting)
        bench.second(shaking: 5)
        #expect(bench.rises == 0)
    }

    @Test func `a latched pin holds a motion until it is read, and one that was never latched has nothing to tell`()
        throws
    {
        let bench = try Bench()
        try bench.driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        #expect(try bench.driver.latchedMotion(over: &bench.bus) == nil)
        // What was felt before counts no more.
        bench.second(shaking: 2)
        #expect(try bench.driver.latchMotion(true, over: &bench.bus))
        #expect(try bench.driver.latchedMotion(over: &bench.bus) == false)
        bench.second(shaking: 2)
        for _ in 0..<600 { bench.second() }
        #expect(bench.chip.interruptLevel)
        #expect(try bench.driver.latchedMotion(over: &bench.bus) == true)
        #expect(!bench.chip.interruptLevel)
        // Another start sets it up anew, and the pin follows the motion again.
        #expect(try bench.driver.latchMotion(false, over: &bench.bus))
        bench.second(shaking: 2)
        for _ in 0..<10 { bench.second() }
        #expect(!bench.chip.interruptLevel)
    }
}
