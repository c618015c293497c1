import Emulation
import Hardware
import Testing

/// What the data sheets say of the chips themselves, with no driver between.
@Suite("Emulated chips of single measurements") struct EmulatedSingleShotTests {
    static let field = SIMD3(30.0, -60, 45)
    private let scene = SensorScene(field: { Self.field })

    @Test func `an MMC5603 gives twenty-bit unsigned values in nine registers`() throws {
        let chip = EmulatedMMC5603(scene: scene)
        chip.bridgeOffset = SIMD3(repeating: 0)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x10, to: 0x1B, at: place)
        bus.pass(microseconds: 1000)
        try bus.write(0x01, to: 0x1B, at: place)
        bus.pass(microseconds: 6500)
        #expect(try bus.read(1, from: 0x18, at: place)[0] & 0x40 == 0)
        bus.pass(microseconds: 200)
        #expect(try bus.read(1, from: 0x18, at: place)[0] & 0x40 != 0)
        let row = try bus.read(9, from: 0x00, at: place)
        // 30 µT are 4915 counts above the middle, −60 µT 9830 below it.
        #expect([row[0], row[1], row[6]] == [0x81, 0x33, 0x30])
        #expect([row[2], row[3], row[7]] == [0x7D, 0x99, 0xA0])
    }

    @Test func `an MMC5983MA gives eighteen-bit values, with the low bits of all axes in one register`() throws {
        let chip = EmulatedMMC5983MA(scene: scene)
        chip.bridgeOffset = SIMD3(repeating: 0)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x10, to: 0x09, at: place)
        bus.pass(microseconds: 1000)
        try bus.write(0x01, to: 0x09, at: place)
        bus.pass(microseconds: 8000)
        let row = try bus.read(9, from: 0x00, at: place)
        #expect(row[8] == 0x11)
        // 4915 and −9830 counts about the middle, 7373 for Z.
        #expect([row[0], row[1], row[6] >> 6] == [0x84, 0xCC, 3])
        #expect([row[2], row[3], row[6] >> 4 & 3] == [0x76, 0x66, 2])
        #expect([row[4], row[5], row[6] >> 2 & 3] == [0x87, 0x33, 1])
    }

    @Test(arguments: [true, false]) func `SET and RESET pulses give readings of opposite sign`(isSet: Bool) throws {
        let chip = EmulatedMMC5983MA(scene: scene, isAlignedAfterSet: true)
        chip.bridgeOffset = SIMD3(repeating: 0)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(isSet ? 0x08 : 0x10, to: 0x09, at: place)
        bus.pass(microseconds: 1000)
        try bus.write(0x01, to: 0x09, at: place)
        bus.pass(microseconds: 8000)
        #expect((try bus.read(1, from: 0x00, at: place)[0] >= 0x80) == isSet)
    }

    @Test func `MEMSIC's control registers cannot be read, and commands within 1 ms of a pulse are lost`() throws {
        let chip = EmulatedMMC5983MA(scene: scene)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x03, to: 0x0A, at: place)
        #expect(try bus.read(1, from: 0x0A, at: place)[0] == 0)
        try bus.write(0x08, to: 0x09, at: place)
        bus.pass(microseconds: 500)
        try bus.write(0x01, to: 0x09, at: place)
        #expect(!chip.isConverting)
        bus.pass(microseconds: 500)
        try bus.write(0x01, to: 0x09, at: place)
        #expect(chip.isConverting)
    }

    @Test func `an IST8310's Z axis is inverted, and DRDY clears when its data is read`() throws {
        let chip = EmulatedIST8310(scene: scene)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x24, to: 0x41, at: place)
        try bus.write(0x01, to: 0x0A, at: place)
        bus.pass(microseconds: 6000)
        let row = try bus.read(7, from: 0x02, at: place)
        #expect(row[0] == 1)
        #expect(row.signedLittleEndian(at: 1) == 100)
        #expect(row.signedLittleEndian(at: 5) == -150)
        #expect(try bus.read(1, from: 0x02, at: place)[0] == 0)
        #expect(try bus.read(1, from: 0x0A, at: place)[0] == 0)
    }

    @Test func `an AK8963 holds its data until status register 2 is read`() throws {
        var field = Self.field
        let chip = EmulatedAK8963(scene: SensorScene(field: { field }))
        chip.adjustment = [128, 128, 128]
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        func measure() throws {
            try bus.write(0x11, to: 0x0A, at: place)
            bus.pass(microseconds: 7300)
        }
        try measure()
        let first = try bus.read(7, from: 0x02, at: place)
        #expect(first[0] == 1)
        #expect(first.signedLittleEndian(at: 1) == 200)
        field.x = 60
        try measure()
        let held = try bus.read(8, from: 0x02, at: place)
        #expect(held[0] == 2)
        #expect(held.signedLittleEndian(at: 1) == 200)
        #expect(held[7] == 0x10)
        try measure()
        #expect(try bus.read(8, from: 0x02, at: place).signedLittleEndian(at: 1) == 400)
    }

    @Test func `an AK8963's fuse ROM can be read only in fuse mode, and it measures only from power-down`() throws {
        let chip = EmulatedAK8963(scene: scene)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        #expect(try bus.read(1, from: 0x10, at: place)[0] == 0)
        try bus.write(0x0F, to: 0x0A, at: place)
        #expect(try bus.read(1, from: 0x10, at: place)[0] == 176)
        try bus.write(0x11, to: 0x0A, at: place)
        #expect(!chip.isConverting)
        try bus.write(0x00, to: 0x0A, at: place)
        try bus.write(0x11, to: 0x0A, at: place)
        #expect(chip.isConverting)
    }

    @Test func `the sum of the axes' magnitudes sets the overflow flag HOFL`() throws {
        var field = SIMD3<Double>(repeating: 1630)
        let chip = EmulatedAK09916(scene: SensorScene(field: { field }))
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        for (each, mark) in [(1630.0, UInt8(0)), (1640, 8)] {
            field = SIMD3(repeating: each)
            try bus.write(0x01, to: 0x31, at: place)
            bus.pass(microseconds: 7300)
            #expect(try bus.read(9, from: 0x10, at: place)[8] == mark)
        }
    }

    @Test func `a BMM150 in suspend mode answers only at its power register`() throws {
        let chip = EmulatedBMM150(scene: scene)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x07, to: 0x51, at: place)
        #expect(try bus.read(1, from: 0x40, at: place)[0] == 0)
        try bus.write(0x01, to: 0x4B, at: place)
        #expect(try bus.read(1, from: 0x40, at: place)[0] == 0)
        bus.pass(microseconds: 3000)
        #expect(try bus.read(1, from: 0x40, at: place)[0] == 0x32)
        #expect(try bus.read(1, from: 0x51, at: place)[0] == 0)
        #expect(try bus.read(1, from: 0x4C, at: place)[0] == 0x06)
        try bus.write(0x02, to: 0x4C, at: place)
        bus.pass(microseconds: 145 + 500 + 980)
        #expect(try bus.read(8, from: 0x42, at: place)[6] & 1 == 1)
        #expect(try bus.read(1, from: 0x48, at: place)[0] & 1 == 0)
        #expect(try bus.read(1, from: 0x4C, at: place)[0] == 0x06)
    }

    @Test func `an RM3100's gain and measurement time depend on its cycle count`() throws {
        let chip = EmulatedRM3100(scene: scene)
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        for (cycles, counts, time) in [(UInt8(200), -4500, 6980), (100, -2280, 3490), (50, -1200, 1750)] {
            for register: UInt8 in [0x05, 0x07, 0x09] { try bus.write(cycles, to: register, at: place) }
            try bus.write(0x70, to: 0x00, at: place)
            bus.pass(microseconds: time - 20)
            #expect(try bus.read(1, from: 0x34, at: place)[0] == 0)
            bus.pass(microseconds: 40)
            #expect(try bus.read(1, from: 0x34, at: place)[0] == 0x80)
            let row = try bus.read(9, from: 0x24, at: place)
            #expect(row.signedBigEndian(at: 3) << 8 | Int(row[5]) == counts)
            #expect(try bus.read(1, from: 0x34, at: place)[0] == 0)
        }
    }
}
