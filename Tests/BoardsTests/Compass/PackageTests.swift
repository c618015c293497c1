import Accelerometers
import Boards
import Emulation
import Hardware
import Magnetism
import Magnetometers
import SextantUnits
import Testing

/// A package in which the accelerometer's chip stands between the bus and the magnetometer.
@Suite("A magnetometer behind its accelerometer") struct PackageTests {
    static let field = SIMD3(21.0, -13, -40)
    static let force = SIMD3(1.0, -2, 9.5)

    struct Package {
        var chips: [EmulatedRegisterChip]
        var bus: EmulatedBus { EmulatedBus(chips: chips) }

        static func all() -> [Package] {
            let scene = SensorScene(field: { PackageTests.field }, acceleration: { PackageTests.force })
            let mpu = EmulatedMPU6500(scene: scene, identity: .mpu9250)
            let icm = EmulatedICM20948(scene: scene, address: I2CAddress(0x69))
            return [
                Package(chips: [mpu, EmulatedAK8963(scene: scene, host: mpu)]),
                Package(chips: [icm, EmulatedAK09916(scene: scene, host: icm)]),
            ]
        }

        func unit(over bus: inout EmulatedBus) throws -> CompassUnit {
            CompassUnit(
                magnetometer: try MagnetometerSearch().run(over: &bus)[0],
                accelerometer: try AccelerometerSearch().run(over: &bus)[0])
        }
    }

    private func check(_ unit: inout CompassUnit, over bus: inout EmulatedBus) throws {
        let measured = try unit.sample(over: &bus) { .zero }
        let sample = try #require(measured)
        let force = try #require(sample.acceleration)
        for axis in 0..<3 {
            #expect(abs(sample.field[axis] - Self.field[axis]) < 0.12)
            #expect(abs(force[axis] - Self.force[axis]) < 0.001)
        }
    }

    @Test(arguments: 0..<2)
    func `the magnetometer and accelerometer of a package share one frame and sleep between samples`(index: Int) throws
    {
        let package = Package.all()[index]
        var bus = package.bus
        var unit = try package.unit(over: &bus)
        for _ in 0..<5 {
            try check(&unit, over: &bus)
            #expect(package.chips.allSatisfy { !$0.isConverting })
        }
    }

    @Test(arguments: 0..<2) func `the field is measured during a motion watch`(index: Int) throws {
        let package = Package.all()[index]
        var bus = package.bus
        var unit = try package.unit(over: &bus)
        try unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0.5), over: &bus)
        for _ in 0..<5 { try check(&unit, over: &bus) }
        #expect(package.chips[0].isConverting)
    }

    @Test(arguments: 0..<2) func `the field is measured after the motion watch is restarted`(index: Int) throws {
        let package = Package.all()[index]
        var bus = package.bus
        var unit = try package.unit(over: &bus)
        for _ in 0..<3 {
            try unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0.5), over: &bus)
            try check(&unit, over: &bus)
        }
    }

    @Test(arguments: 0..<2, [false, true])
    func `a package that lost power measures again, with and without a motion watch`(index: Int, watches: Bool) throws {
        let package = Package.all()[index]
        var bus = package.bus
        var unit = try package.unit(over: &bus)
        if watches { try unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0.5), over: &bus) }
        try check(&unit, over: &bus)
        for chip in package.chips { chip.powerCycle() }
        try check(&unit, over: &bus)
        #expect(package.chips[0].isConverting == watches)
    }

    @Test(arguments: 0..<2) func `the magnetometer is found when the search follows the start of a motion watch`(
        index: Int
    ) throws {
        let package = Package.all()[index]
        var bus = package.bus
        var accelerometer = try AccelerometerSearch().run(over: &bus)[0]
        try accelerometer.watchMotion(MotionThreshold(acceleration: 1, duration: 0.5), over: &bus)
        var unit = CompassUnit(
            magnetometer: try MagnetometerSearch().run(over: &bus)[0], accelerometer: accelerometer)
        try check(&unit, over: &bus)
    }
}
